/** npm start: a fleet on this machine, the examples published and one of them run. `-- --once` ends after that. */
import { launch } from './launch.mjs';

await launch(['up', '--demo', ...process.argv.slice(2)]);
