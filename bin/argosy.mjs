#!/usr/bin/env node
/** The command `argosy`: installs and builds what is missing, then runs dist/cli.js under Node 24. */
import { launch } from '../scripts/launch.mjs';

await launch(process.argv.slice(2));
