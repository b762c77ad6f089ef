import { Injectable } from '@nestjs/common';
import { Dispatch } from '@app/dispatch';
import { Store } from '@app/store';

export interface Readiness {
  readonly ready: boolean;
  readonly components: { readonly [component: string]: { readonly status: 'ok' | 'degraded' | 'failed'; readonly detail: string } };
}

@Injectable()
export class HealthService {
  #isDraining = false;

  constructor(
    private readonly store: Store,
    private readonly dispatch: Dispatch,
  ) {}

  /** From now on this process asks to be left alone: it is about to go. */
  drain(): void {
    this.#isDraining = true;
  }

  /** A queue that is away degrades the process and no more: executions are accepted, and the sweeper announces them later. */
  async readiness(): Promise<Readiness> {
    const store = await this.store.health().catch((error: unknown) => ({ ok: false, schemaCurrent: true, detail: error instanceof Error ? error.message : String(error) }));
    const { status, problems } = this.dispatch.health();
    return {
      ready: !this.#isDraining && store.ok && store.schemaCurrent,
      components: {
        process: this.#isDraining ? { status: 'failed', detail: 'shutting down' } : { status: 'ok', detail: '' },
        store:
          store.ok && store.schemaCurrent
            ? { status: 'ok', detail: store.detail }
            : { status: 'failed', detail: store.ok ? 'The schema is not current: run "argosy migrate".' : store.detail },
        dispatch: { status, detail: problems.join(' ') },
      },
    };
  }
}
