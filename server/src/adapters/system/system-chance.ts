import type { Chance } from '../../ports/chance.ts';

export const systemChance: Chance = { fraction: () => Math.random() };
