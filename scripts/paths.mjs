/** Where things are, and how a process of ours is started. Plain JavaScript: this runs before anything is installed. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Node 24, as pinned by the package `node`: the launchers themselves may run on the Node 20 of the machine. */
export const node24 = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * isolated-vm cannot start from Node's own start-up snapshot; source maps turn bundle lines back into source lines. The
 * other two keep a busy worker small: V8 would let its heap grow to several times what is alive (440 MB against 250 MB
 * resident, at the same rate of work) before it collects.
 */
export const nodeFlags = ['--no-node-snapshot', '--enable-source-maps', '--max-semi-space-size=8', '--heap-growing-percent=30'];

/** What this checkout keeps for itself between runs (database, locks). Ignored by git. */
export const stateFolder = join(root, '.argosy');

export const fromRoot = (...parts) => join(root, ...parts);
