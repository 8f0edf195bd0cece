// The entry `svc-client/examine`: everything that is public of the module that reads files. Programs without files do not load it.

// biome-ignore-start lint/performance/noBarrelFile: Users import the module from this one file.
export type { ChangeKind, CountedChange } from '../../schemas/imports/changed-texts.ts';
export { FILE_FAULTS } from '../../schemas/imports/file-fault-texts.ts';
export { CHANGE_TEXTS, changeText } from '../../schemas/imports/fix/change-texts.ts';
export type { Encoding } from '../../schemas/imports/fix/decode.ts';
export { LEGACY } from '../../schemas/imports/fix/encodings.ts';
export type {
  Choices,
  Finding,
  FixFault,
  FixKind,
  HeaderChoice,
  Part,
  Refusal,
} from '../../schemas/imports/fix/findings.ts';
export { EXAMINED_BYTES_MAX, type Examined, type ExamineOptions, examine, type Table } from './examine.ts';
// biome-ignore-end lint/performance/noBarrelFile: Users import the module from this one file.
