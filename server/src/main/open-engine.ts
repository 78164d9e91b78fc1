import { openEmbeddedEngine } from '../adapters/embedded/open-embedded-engine.ts';
import { systemChance } from '../adapters/system/system-chance.ts';
import { systemClock } from '../adapters/system/system-clock.ts';
import { systemIds } from '../adapters/system/system-ids.ts';
import { systemTimers } from '../adapters/system/system-timers.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../ports/engine.ts';
import type { Logger } from '../ports/logger.ts';

export async function openEngine(config: Config, logger: Logger): Promise<Engine> {
  if (config.engine === 'embedded') return openEmbeddedEngine(config, systemClock, systemTimers);
  // The SDK takes time and memory that one machine alone need not spend.
  const { openAwsEngine } = await import('./open-aws-engine.ts');
  const { aws, worker, visibilityMs, receivesMax, statusLog } = config;
  return openAwsEngine(
    { ...aws, settleHoldMs: worker.settleHoldMs, visibilityMs, receivesMax, statusLog },
    { clock: systemClock, timers: systemTimers, chance: systemChance, ids: systemIds, logger },
  );
}
