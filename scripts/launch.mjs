/** Runs the command line of this checkout, whatever Node started the launcher; answers through the exit code. */
import { bootstrap } from './bootstrap.mjs';
import { runNode } from './child.mjs';
import { fromRoot } from './paths.mjs';

export async function launch(args) {
  try {
    await bootstrap();
  } catch (error) {
    process.stderr.write(`argosy: this checkout cannot be made ready: ${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  process.exitCode = await runNode(fromRoot('dist', 'cli.js'), args, { cwd: process.cwd() });
}
