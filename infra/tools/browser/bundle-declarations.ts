import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';

/** A declaration with its comment. */
interface Declaration {
  readonly name: string;
  readonly text: string;
}

/** A declaration begins at the margin, or its comment does, and ends before the next one. */
const STARTS = /^(?=\/\*\*|export (?!\{))/m;
const NAME = /^export (?:declare )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/m;
const IMPORT = /^(?:import|export) .*? from "(\.[^"]*)";$/gm;

/**
 * Returns the declarations of everything that a module exports, and of the types that they name, as one file without imports. Names
 * are the same in all modules, so each stands for one declaration.
 *
 * @throws {Error} if a module has no declarations without the types of others, or two declarations have one name
 */
export function bundleDeclarations(entry: string): string {
  const all = new Map<string, Declaration>();
  const modules = modulesFrom(entry);
  for (const text of modules.values()) {
    for (const declaration of declarationsOf(text)) {
      if (all.has(declaration.name))
        throw new Error(`bundling declarations: ${declaration.name} is there twice`);
      all.set(declaration.name, declaration);
    }
  }
  const wanted = new Set(exportedBy(modules.get(entry) ?? ''));
  // A set yields what is added to it meanwhile.
  for (const name of wanted) {
    for (const [mentioned] of (all.get(name)?.text ?? '')
      .replaceAll(/\/\*\*.*?\*\//gs, '')
      .matchAll(/\w+/g)) {
      if (all.has(mentioned)) wanted.add(mentioned);
    }
  }
  const kept = [...all.values()].filter(({ name }) => wanted.has(name));
  return `${kept.map(({ text }) => text.trim()).join('\n\n')}\n`;
}

/** Returns the declarations of a module and of those that it imports, by path. */
function modulesFrom(entry: string): Map<string, string> {
  const modules = new Map<string, string>();
  const visit = (file: string) => {
    if (modules.has(file)) return;
    const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'));
    if (errors.length > 0) throw new Error(`declaring ${file}: ${errors[0]?.message}`);
    modules.set(
      file,
      code.replaceAll(/^\t+/gm, (tabs) => '  '.repeat(tabs.length)),
    );
    for (const [, path = ''] of code.matchAll(IMPORT)) visit(join(dirname(file), path));
  };
  visit(entry);
  return modules;
}

function exportedBy(code: string): string[] {
  return [...code.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/^\s*type\s/, '').trim()),
  );
}

function declarationsOf(code: string): Declaration[] {
  return code
    .replaceAll(IMPORT, '')
    .split(STARTS)
    .flatMap((part, index, parts) => {
      // A comment is a part before the one that it describes.
      const isComment = part.startsWith('/**') && !NAME.test(part);
      if (isComment) return [];
      const before = parts[index - 1] ?? '';
      const comment = before.startsWith('/**') && !NAME.test(before) ? before : '';
      const [, name] = NAME.exec(part) ?? [];
      return name === undefined ? [] : [{ name, text: comment + part }];
    });
}
