#!/usr/bin/env node
import { main } from '../dist/supervisor/main.js';

await main(process.argv[2]);
