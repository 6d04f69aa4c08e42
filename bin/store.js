#!/usr/bin/env node
import { main } from '../dist/sharedstore/main.js';

await main(process.argv[2]);
