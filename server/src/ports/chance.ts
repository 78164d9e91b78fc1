export interface Chance {
  /** At least 0 and below 1. For spreading load; nothing that decides a winner uses it. */
  fraction(): number;
}
