#!/usr/bin/env node
import { bundle } from './bundle.js';

process.setSourceMapsEnabled(true);
const { runCli } = await import(bundle());
process.exitCode = await runCli(process.argv.slice(2));
