// Loaded into a service before it starts, in tests.
import './cheap-passwords.ts';
import { noteAnsweredRefusals } from '../refusals/answered-refusals.ts';

noteAnsweredRefusals();
