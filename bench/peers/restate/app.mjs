/**
 * A Restate service: chain10/run takes {"n": 0} through ten durable steps, each of them what one Set node of our chain10
 * computes. It serves the Restate server over HTTP/2; clients go to the server's ingress. Prints "listening".
 *
 * PORT comes from the environment.
 */
import { createServer } from 'node:http2';
import { createEndpointHandler, service } from '@restatedev/restate-sdk';

const addOne = async (item) => ({ n: item.n + 1 });

const chain10 = service({
  name: 'chain10',
  handlers: {
    run: async (context, item) => {
      let current = item;
      for (let step = 1; step <= 10; step += 1) current = await context.run(`step${step}`, () => addOne(current));
      return current;
    },
  },
});

const { PORT } = process.env;
createServer(createEndpointHandler({ services: [chain10], logger: () => {} })).listen(Number(PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
