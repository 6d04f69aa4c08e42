#!/usr/bin/env node
import { main } from '../dist/supervisor/main.js';

await main(process.argv[2], async () => (await import('../dist/stack/view.js')).joins);
