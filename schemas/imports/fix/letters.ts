/** The letters of a text beyond ASCII, as evidence for the encoding in which it is read. */
export interface Letters {
  /** The share, from 0 to 1, of those that a text in one language would have, where it would have them. */
  readonly score: number;
  /** The logarithm of the chance that a text in that language has these letters. */
  readonly chance: number;
}

/** The logarithms of the chances of the letters of a language. */
interface Language {
  readonly frequent: ReadonlyMap<string, number>;
  readonly others: RegExp;
}

/** The logarithms of the chances of one of the other letters, of a letter of other languages, of a sign, and of what no text has. */
const OTHER = Math.log(0.004);
const FOREIGN = Math.log(0.000_5);
const SIGN = Math.log(0.2);
const FAULT = Math.log(0.000_2);
/** The power of the number of times for which a letter counts. */
const REPEATED = 0.75;
/** The least chance of a letter that counts as a whole, and the score of one that has less. */
const USUAL = Math.log(0.05);
const OTHER_SCORE = 0.8;
const ODD_SCORE = -1;
/** The logarithm of the chance of a few letters of another script than Latin: a few bytes of any encoding can be some. */
const FEW = Math.log(0.005);
const FEW_LETTERS = 8;

/** The letters beyond ASCII of languages, the frequent ones first; behind a space, all others, as in a class of a pattern. */
const LANGUAGES = [
  'üäöß',
  'üäößéèáóíêàçñëúãâôøåîœæõïû',
  'éèêàçôâîûùïëœæÿ',
  'óíáñéúü',
  'ãçáéíóõêúâàô ü',
  'äöåé',
  'øåæé',
  'ëç',
  'ëéïöèüê',
  'àèìòùéíó',
  'àóéèíòçïúü·',
  'áíðóéúýþöæ',
  'łęąóżśćńź',
  'íáěéřýžčšůúóňťď',
  'áíéčžšýúťľôóňäď',
  'áéöóőíüúű',
  'ăîâşţșț',
  'šžčćđ',
  'ıüşçöği âîû',
  'āīēšņūļķģčž',
  'ėšžųūįčąę',
  'äõüöšž',
  'оеаинтсрвлкмдпуяыь а-яё',
  'оаинівретксулдмпя а-щьюєїґ',
  'αοιετσνηυρπκμλςάίόέήύώ γδθχφβξζψϊ',
  'יוהלאתרמבנש \\p{sc=Hebr}',
  'اليمونرتبةعدسفهكقحج \\p{sc=Arab}',
  'านรอกเงมยลวดทสตะปบคหแจ \\p{sc=Thai}',
  '\u0301\u0323\u0300đêưôâ\u0309ơă\u0303 áàéèíóòúùý',
].map(languageOf);

/** Signs that stand in texts of all languages, before, behind or between words. */
const BESIDE_WORDS = '‘“”„–—…«»®™•¡¿½×№、。「」・ー！-～';
export const SIGNS = new RegExp(`[\\u00a0€£§°µ²³·’©ºª${BESIDE_WORDS}]`, 'u');
/** A sign where texts have it, between the characters before and behind. Elsewhere, it is a letter in another encoding. */
const SIGN_PLACE = new RegExp(
  `^(?!${SIGNS.source})(?:l·l|\\P{L}[€£§©°\\u00a0]\\P{L}|\\P{L}°[CFK]|[nN]°\\P{L}|[\\P{L}m][²³]|[\\p{Lu}\\d.][ºª]|\\p{L}’|.’\\P{L}|\\P{L}µ|\\P{L}[${BESIDE_WORDS}]|.[${BESIDE_WORDS}]\\P{L})`,
  'su',
);
/**
 * A character that no text has between those before and behind: no letter, a mark alone, a letter of another script than Latin
 * beside one of ASCII, one beside a digit, or a capital in a word of small letters or alone.
 */
const FAULT_PLACE =
  /^(?:.[^\p{L}\p{M}]|[^\p{L}\p{M}]\p{M}|[A-Za-z][^\p{sc=Latin}\p{sc=Zinh}]|.[^\p{sc=Latin}\p{sc=Zinh}][A-Za-z]|\d|..\d|\p{Ll}\p{Lu}|\p{L}\p{Lu}\p{Ll}|\P{L}\p{Lu}\P{L})/su;

/** Reads the letters of a text as those of the language that fits best. */
export function lettersOf(text: string): Letters {
  /** The numbers of letters and signs, and of those that no text has there, each behind a sign. */
  const counts = new Map<string, number>();
  let all = 0;
  for (const { 0: character, index } of text.matchAll(/\P{ASCII}/gu)) {
    const place = `${text[index - 1] ?? ' '}${character}${text[index + 1] ?? ' '}`;
    const isLetter = !SIGN_PLACE.test(place);
    if (isLetter) all += 1;
    // Of the two characters of a small İ, the first one.
    const letter = character.toLowerCase().charAt(0);
    const key = isLetter && FAULT_PLACE.test(place) ? `!${letter}` : letter;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [best] = LANGUAGES.map((language) => weigh(counts, language)).sort(
    (left, right) => right.chance - left.chance,
  );
  const { score = 0, chance = 0 } = best ?? {};
  const isFew = all < FEW_LETTERS && /[^\P{L}\p{sc=Latin}]/u.test(text);
  return { score: all === 0 ? 1 : score / all, chance: chance + (isFew ? FEW : 0) };
}

function languageOf(letters: string): Language {
  const [listed = '', others = ''] = letters.split(' ');
  const frequent = [...listed];
  const weights = frequent.map((_, at) => 1 / (at + 2));
  const sum = weights.reduce((one, other) => one + other);
  return {
    frequent: new Map(frequent.map((letter, at) => [letter, Math.log((weights[at] ?? 0) / sum)])),
    others: new RegExp(`[${others}]`, 'u'),
  };
}

function weigh(counts: ReadonlyMap<string, number>, { frequent, others }: Language): Letters {
  const chanceOf = (letter: string): number => {
    if (letter.length > 1) return FAULT;
    return frequent.get(letter) ?? (SIGNS.test(letter) ? SIGN : others.test(letter) ? OTHER : FOREIGN);
  };
  let [score, chance] = [0, 0];
  for (const [letter, count] of counts) {
    const own = chanceOf(letter);
    // What is repeated tells less.
    chance += count ** REPEATED * own;
    if (own !== SIGN) score += count * (own > USUAL ? 1 : own > FOREIGN ? OTHER_SCORE : ODD_SCORE);
  }
  return { score, chance };
}
