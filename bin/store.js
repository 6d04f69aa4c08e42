#!/usr/bin/env node
import { loadService } from './load.js';

const { main } = loadService('store');
await main(process.argv[2]);
