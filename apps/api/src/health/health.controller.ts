import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { measureReady, Store } from '@app/store';
import { Telemetry } from '@app/telemetry';
import type { Reply } from '../http-types.ts';
import { HealthService } from './health.service.ts';

/** Answered without a key: orchestrators and scrapers have none. */
export const openRoutes: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz', '/healthz/readiness', '/metrics', '/api/v1/openapi.json']);

@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly telemetry: Telemetry,
    private readonly store: Store,
  ) {}

  @Get(['healthz', 'livez'])
  live() {
    return { status: 'ok' };
  }

  @Get(['readyz', 'healthz/readiness'])
  async ready(@Res() reply: Reply): Promise<void> {
    const { ready, components } = await this.health.readiness();
    void reply.status(ready ? 200 : 503).send({ status: ready ? 'ok' : 'error', components });
  }

  @Get('metrics')
  async metrics(@Res() reply: Reply): Promise<void> {
    await measureReady(this.store, this.telemetry);
    const { contentType, text } = await this.telemetry.exposition();
    void reply.header('content-type', contentType).send(text);
  }
}
