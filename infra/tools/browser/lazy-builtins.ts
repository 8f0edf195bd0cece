import { createRequire, isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

const BUILTIN = '\0builtin:';
const REPLACED = '\0replaced:';
const require = createRequire(import.meta.url);

/**
 * Loads modules of the runtime when the code that needs them runs. An import at the top of a bundle would load all of them at
 * the start, which takes longer than the rest of the start.
 *
 * @param replaced modules that one package gets in another form, as code by name
 */
export function lazyBuiltins(inPackage: string, replaced: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'lazy-builtins',
    resolveId: {
      order: 'pre',
      handler: (id, importer) => {
        if (!isBuiltin(id)) return null;
        const isReplaced =
          replaced[id] !== undefined && importer?.includes(`/node_modules/${inPackage}/`) === true;
        return { id: (isReplaced ? REPLACED : BUILTIN) + id, moduleSideEffects: false };
      },
    },
    load: (id) => {
      if (id.startsWith(REPLACED)) return replaced[id.slice(REPLACED.length)] ?? null;
      return id.startsWith(BUILTIN) ? moduleOf(id.slice(BUILTIN.length)) : null;
    },
  };
}

function moduleOf(name: string): string {
  const names = Object.keys(require(name) as object).filter((each) => /^[A-Za-z]\w*$/.test(each));
  return [
    `const loaded = /* @__PURE__ */ process.getBuiltinModule('${name}');`,
    'export default loaded;',
    ...names.map((each) => `const ${each}_ = loaded.${each};\nexport { ${each}_ as ${each} };`),
  ].join('\n');
}
