import { describe, expect, it } from 'vitest';
import { apiUnderTest, chain, work } from '../../testing/api-under-test.ts';
import { executionAnswer, executionDetailAnswer, stepsAnswer, workflowAnswer } from './answers.ts';

describe('the description of the API', () => {
  it('is the one that is checked in (update it with vitest -u)', async () => {
    const { request } = await apiUnderTest();
    const { body } = await request('GET', '/api/v1/openapi.json');
    await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot('../../openapi.json');
  });

  it('describes no route that is not served', async () => {
    const { app, request } = await apiUnderTest();
    const { paths } = (await request('GET', '/api/v1/openapi.json')).body;
    for (const [path, methods] of Object.entries<object>(paths)) {
      for (const method of Object.keys(methods))
        expect(
          app
            .getHttpAdapter()
            .getInstance()
            .hasRoute({ method: method.toUpperCase(), url: path.replace(/\{(\w+)\}/g, ':$1') }),
          `${method} ${path}`,
        ).toBe(true);
    }
  });

  it('describes answers as they are sent', async () => {
    const { request, store } = await apiUnderTest();
    const workflow = (await request('POST', '/api/v1/workflows', chain())).body;
    const { id } = (await request('POST', `/api/v1/workflows/${workflow.id}/executions`)).body;
    await work(store);
    const strictly = { reportInput: true };
    expect(workflowAnswer.safeParse(workflow, strictly).error).toBeUndefined();
    expect(executionDetailAnswer.strict().safeParse((await request('GET', `/api/v1/executions/${id}?includeData=true`)).body, strictly).error).toBeUndefined();
    expect(executionAnswer.strict().safeParse((await request('GET', '/api/v1/executions')).body.data[0], strictly).error).toBeUndefined();
    expect(stepsAnswer.strict().safeParse((await request('GET', `/api/v1/executions/${id}/steps`)).body, strictly).error).toBeUndefined();
  });
});
