import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
};

/**
 * Type-checks modules that exist only in memory.
 *
 * @param modules the text of each module by its file name
 * @returns the errors as `file: message`, in the order of the files
 */
export function typeErrors(modules: Readonly<Record<string, string>>): string[] {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists, readFile } = host;
  const textOf = (path: string) => modules[path.slice(path.lastIndexOf('/') + 1)];
  host.fileExists = (path) => textOf(path) !== undefined || fileExists(path);
  host.readFile = (path) => textOf(path) ?? readFile(path);
  host.getSourceFile = (path, options, ...rest) => {
    const text = textOf(path);
    return text === undefined
      ? getSourceFile(path, options, ...rest)
      : ts.createSourceFile(path, text, options);
  };
  const program = ts.createProgram(Object.keys(modules), OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
