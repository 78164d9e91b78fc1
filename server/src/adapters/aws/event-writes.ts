import { newCapacity } from '../../domain/capacity.ts';
import type { Event } from '../../domain/event.ts';
import { keys } from '../../domain/keys.ts';
import type { Write } from './dynamo-table.ts';
import { capacityItem, configItem, directoryItem } from './event-item.ts';
import { ifAbsent, putItem, updateItem } from './write-items.ts';

/** The conditional writes of events and their capacity. */
export const eventWrites = {
  create: (event: Event): Write[] => [
    putItem(configItem(event), ifAbsent),
    putItem(capacityItem(event, newCapacity(event.capacityTotal, event.createdAt)), ifAbsent),
    putItem(directoryItem(event)),
  ],

  replaceConfig: (before: Event, after: Event): Write =>
    putItem(configItem(after), {
      text: '#revision = :before',
      values: { before: before.revision },
    }),

  /** Sold out is final: later people would pass those already rejected. */
  raiseCapacity: ({ eventId, capacityTotal, updatedAt }: Event, by: number): Write =>
    updateItem(keys.capacity(eventId), {
      set: { capacityTotal, updatedAt },
      add: { capacityRemaining: by },
      when: { text: 'attribute_exists(#PK) AND attribute_not_exists(#soldOutAt)' },
    }),
};
