import { jsonOption, type CliKit, type Command } from '../command.ts';
import { table } from '../table.ts';

interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'degraded' | 'failed';
  readonly advice: string;
}

export const doctor: Command = {
  name: 'doctor',
  operands: '',
  about: 'Looks whether this machine and the fleet at ARGOSY_URL are well; ends with 1 if not.',
  options: jsonOption,
  count: [0, 0],
  async run({ kit, flag }) {
    const findings = [node(), ...(await fleet(kit))];
    kit.terminal.out(
      flag('json')
        ? `${JSON.stringify(findings)}\n`
        : table(
            ['check', 'result', 'advice'],
            findings.map(({ check, result, advice }) => [check, result, advice]),
          ),
    );
    return findings.some(({ result }) => result === 'failed') ? 1 : 0;
  },
};

function node(): Finding {
  const isRight = process.versions.node.startsWith('24.');
  return { check: `Node ${process.versions.node}`, result: isRight ? 'ok' : 'failed', advice: isRight ? '' : 'Start through bin/argosy.mjs: it brings Node 24.' };
}

async function fleet({ api }: CliKit): Promise<Finding[]> {
  if (!(await api.isReachable())) return [{ check: `API at ${api.url}`, result: 'failed', advice: 'Start it with "argosy up", or set ARGOSY_URL to where it is.' }];
  const findings: Finding[] = [{ check: `API at ${api.url}`, result: 'ok', advice: '' }];
  const { components } = await api.readiness();
  for (const [check, { status, detail }] of Object.entries<{ status: Finding['result']; detail: string }>(components ?? {}))
    findings.push({ check, result: status, advice: status === 'ok' ? '' : detail });
  findings.push(await key(api));
  return findings;
}

const key = (api: CliKit['api']): Promise<Finding> =>
  api.get('executions?limit=1').then(
    () => ({ check: 'API key', result: 'ok', advice: '' }),
    (error: unknown) => ({ check: 'API key', result: 'failed', advice: error instanceof Error ? error.message : String(error) }),
  );
