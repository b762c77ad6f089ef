/**
 * npm run bench -- NAME… [--peers dbos,restate] [--rounds N] [--scale SHARE] [--json]
 *
 * Names: chain10, fanout, loop, accept, idle, or all. Exit code 0 when every target is met, 1 when one is missed, 2 when
 * the call was wrong. --json prints one object and nothing else.
 */
import { parseArgs } from 'node:util';
import { accept } from './accept.ts';
import { peerNames, type Benchmark, type PeerName, type Result } from './benchmark.ts';
import { chain10 } from './chain10.ts';
import { fanout } from './fanout.ts';
import { idle } from './idle.ts';
import { loop } from './loop.ts';
import { report, sentences } from './report.ts';

/** In the order in which they run: accept compares itself with chain10. */
const benchmarks: { readonly [name: string]: Benchmark } = { chain10, accept, fanout, loop, idle };

const usage = `Usage: npm run bench -- NAME… [--peers ${peerNames.join(',')}] [--rounds N] [--scale SHARE] [--json]\nNames: ${Object.keys(benchmarks).join(', ')}, all.\n`;

function refuse(what: string): never {
  process.stderr.write(`${what}\n${usage}`);
  process.exit(2);
}

function readCall() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { peers: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' }, scale: { type: 'string', default: '1' }, json: { type: 'boolean', default: false } } });
    const peers = values.peers.split(',').filter((name) => name !== '');
    const unknown = [...positionals.filter((name) => name !== 'all' && !(name in benchmarks)), ...peers.filter((name) => !peerNames.includes(name as PeerName))];
    if (unknown.length > 0) refuse(`Nothing here is called ${unknown.join(', ')}.`);
    if (positionals.length === 0) refuse('Which benchmark?');
    const [rounds, scale] = [Number(values.rounds), Number(values.scale)];
    if (!(Number.isInteger(rounds) && rounds >= 1) || !(scale > 0 && scale <= 10)) refuse('--rounds takes a whole number from 1, --scale a number above 0 and up to 10.');
    const wanted = positionals.includes('all') ? Object.keys(benchmarks) : Object.keys(benchmarks).filter((name) => positionals.includes(name));
    return { wanted, peers: peers as PeerName[], rounds, scale, json: values.json };
  } catch (error) {
    return refuse((error as Error).message);
  }
}

const { wanted, json, ...settings } = readCall();
const redisUrl = process.env['REDIS_URL'];
if (!redisUrl || !process.env['DATABASE_URL']) refuse('The benchmarks need a Postgres and a Redis: run them through npm run bench.');

const results = new Map<string, Result>();
const say = (line: string): void => void process.stderr.write(`${line}\n`);
for (const name of wanted) results.set(name, await benchmarks[name]!({ ...settings, redisUrl, say }, results));
const whole = await report(results, settings);
process.stdout.write(json ? `${JSON.stringify(whole, null, 2)}\n` : sentences(whole));
process.exitCode = whole.verdict === 'met' ? 0 : 1;
