// Loaded into the process of each test worker, before its tests.
import './cheap-passwords.ts';
import './tsx-modules.ts';
