import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { finish } from './build/finish.js';

/** The node that the explorer shows under `npm run dev:ui`. */
const node = process.env['PARLEY_NODE'] ?? 'http://127.0.0.1:16010';
/** A node accepts requests from its own origin only, so the proxy sends that origin. */
const proxied = { target: node, changeOrigin: true, headers: { origin: node } };

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // The node completes relative addresses for the path of each page.
  base: command === 'build' ? './' : '/ui/',
  plugins: [react(), finish()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Regular expressions are needed on two pages only, and have a size budget of their own.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 're2', test: /node_modules\/re2js/ }] } } },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': proxied, '/ui/_config': proxied, '/ui/_stack': proxied, '/ws': { ...proxied, ws: true } },
  },
}));
