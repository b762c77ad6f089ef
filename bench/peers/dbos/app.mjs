/**
 * A DBOS Transact app: POST /run {"n": 0} runs a workflow of ten steps, each of them what one Set node of chain10
 * computes, and answers with its result. Prints "listening" when it can be asked.
 *
 * PORT, DATABASE_URL and POOL_SIZE come from the environment. Its database is created when missing.
 */
import { createServer } from 'node:http';
import { DBOS } from '@dbos-inc/dbos-sdk';

const { PORT, DATABASE_URL, POOL_SIZE = '20' } = process.env;
const addOne = async (item) => ({ n: item.n + 1 });

async function chain(item) {
  let current = item;
  for (let step = 1; step <= 10; step += 1) current = await DBOS.runStep(() => addOne(current), { name: `step${step}` });
  return current;
}
const workflow = DBOS.registerWorkflow(chain, { name: 'chain10' });

DBOS.setConfig({ name: 'chain10', systemDatabaseUrl: DATABASE_URL, systemDatabasePoolSize: Number(POOL_SIZE), logLevel: 'error' });
await DBOS.launch();

createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    workflow(JSON.parse(body)).then(
      (result) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
