import { fileURLToPath } from 'node:url';

export const benchDirectory = fileURLToPath(new URL('..', import.meta.url));
export const repositoryDirectory = fileURLToPath(new URL('../..', import.meta.url));
export const loadDirectory = fileURLToPath(new URL('../load', import.meta.url));
export const resultsDirectory = fileURLToPath(new URL('../results', import.meta.url));
