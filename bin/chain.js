#!/usr/bin/env node
import { loadService } from './load.js';

const { main } = loadService('chain');
await main(process.argv[2]);
