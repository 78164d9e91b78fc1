import { openEmbeddedEngine } from '../src/adapters/embedded/open-embedded-engine.ts';
import { createMetrics } from '../src/adapters/opentelemetry/telemetry.ts';
import { createLogger } from '../src/adapters/system/logger.ts';
import { systemClock } from '../src/adapters/system/system-clock.ts';
import { systemTimers } from '../src/adapters/system/system-timers.ts';
import { readConfig } from '../src/config.ts';
import { createSharedCounts } from '../src/http/shared-counts.ts';
import { composeApi } from '../src/main/compose-api.ts';
import { noFaults } from '../src/operations/fault-switch.ts';

/** What `/openapi.json` answers in development, which has every route. */
export async function openApiDocument(dataDirectory: string): Promise<string> {
  const config = readConfig({ FAIRLINE_DATA_DIR: dataDirectory });
  const engine = await openEmbeddedEngine(config, systemClock, systemTimers);
  const metrics = createMetrics();
  const { app } = await composeApi({
    config,
    engine,
    metrics,
    verifier: { verify: () => undefined },
    faults: noFaults,
    logger: createLogger(false),
    isStopping: () => false,
    callCounts: createSharedCounts(0),
    gateSecret: '',
  });
  await app.ready();
  const document = app.swagger();
  await app.close();
  await metrics.close();
  await engine.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
