import { fileURLToPath } from "node:url";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * One window, two builds: the shipped one (`index.html`), and a harness with an in-memory backend
 * (`harness.html`, mode "harness") for the browser suite. The harness never reaches `dist`.
 */
export default defineConfig(({ mode }) => ({
  root: here("."),
  plugins: [react(), tailwind()],
  resolve: { alias: { "@": here("src") } },
  clearScreen: false,
  server: { port: 5173, strictPort: true, host: "127.0.0.1" },
  // The policy of the real window (src-tauri/tauri.conf.json), so that the browser suite meets it too.
  preview: {
    port: 4173,
    strictPort: true,
    host: "127.0.0.1",
    headers: { "Content-Security-Policy": POLICY },
  },
  build: {
    target: "es2022",
    outDir: mode === "harness" ? "dist-harness" : "dist",
    emptyOutDir: true,
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: mode === "harness" ? here("harness.html") : here("index.html") },
  },
  test: {
    environment: "happy-dom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    testTimeout: 30_000,
  },
}));
