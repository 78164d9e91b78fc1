import { v7 } from 'uuid';
import type { Ids } from '../../ports/ids.ts';

export const systemIds: Ids = { next: () => v7() };
