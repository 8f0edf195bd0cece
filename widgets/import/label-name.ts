type Pascal<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Name>;

/** Returns the name of a label from its kind and a code: `fix` and `no_rows` make `fixNoRows`. */
export function labelName<Kind extends string, Code extends string>(kind: Kind, code: Code) {
  const words = code.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return (kind + words.join('')) as `${Kind}${Pascal<Code>}`;
}

/** Returns texts by the names of their labels. */
export function labelled<Kind extends string, Code extends string>(
  kind: Kind,
  texts: Readonly<Record<Code, string>>,
) {
  const named = Object.entries(texts).map(([code, text]) => [labelName(kind, code), text]);
  return Object.fromEntries(named) as Record<`${Kind}${Pascal<Code>}`, string>;
}
