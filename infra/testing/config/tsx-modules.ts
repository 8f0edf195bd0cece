// Lets a test import a module of the console that has JSX: Node strips types, and no JSX.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { transformSync } from '@swc/core';

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context);
    const { code } = transformSync(readFileSync(new URL(url), 'utf8'), {
      jsc: {
        parser: { syntax: 'typescript', tsx: true },
        target: 'es2024',
        transform: { react: { runtime: 'automatic', importSource: 'preact' } },
      },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
