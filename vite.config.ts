import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/new/',
  plugins: [react()],
  define: { __RELEASE__: JSON.stringify('dev') },
  build: { manifest: true, target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 900 },
  server: { proxy: { '/daoyuan': 'http://127.0.0.1:5800', '/api': 'http://127.0.0.1:5800', '/micro_material': 'http://127.0.0.1:5800', '/material': 'http://127.0.0.1:5800' } },
})
