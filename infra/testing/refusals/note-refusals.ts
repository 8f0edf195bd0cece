// Loaded into a service before it starts, in tests: notes the refusals that it answers.
import { noteAnsweredRefusals } from './answered-refusals.ts';

noteAnsweredRefusals();
