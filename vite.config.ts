import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { lightDoors } from './scripts/doors.ts'

/** Paths below which the server answers, not the console. */
const SERVED = ['/daoyuan', '/api', '/micro_material', '/material', '/q/', '/Q/']

/** What many screens have, but a list shows only later, if at all. */
const LATER = /[\\/](?:modules|core[\\/](?:rich-text|tree)|dnd-kit|@dnd-kit|@rc-component[\\/](?:picker|progress|input-number|mini-decimal)|antd[\\/]es[\\/](?:date-picker|time-picker|progress|input-number))[\\/]/

export default defineConfig({
  base: '/new/',
  plugins: [lightDoors(), react()],
  define: { __RELEASE__: JSON.stringify('dev') },
  build: {
    manifest: true, target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 1200,
    // What everybody loads first comes in few files: a hundred small ones compress worse and wait for each other.
    // A definition that the menu's own files name is there from the start; code that also fetches it finds it at once.
    rolldownOptions: { checks: { ineffectiveDynamicImport: false }, output: { codeSplitting: { groups: [
      { name: 'library', tags: ['$initial'], test: /node_modules/, priority: 3 },
      { name: 'frame', tags: ['$initial'], priority: 2 },
      // The parts that most screens have: lists and what stands in them.
      { name: 'list', test: (id) => !LATER.test(id), minShareCount: 24, includeDependenciesRecursively: false },
    ] } } },
  },
  server: { proxy: Object.fromEntries(SERVED.map((path) => [path, `http://127.0.0.1:${process.env['PORT'] ?? 5800}`])) },
})
