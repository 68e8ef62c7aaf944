/**
 * npm run dev: the server, started again when a file that it has read changes, and in front of it the console with hot reload.
 * PORT is the server's, as with npm start; without DATABASE_URL it holds DATA_DIR, so npm start must not run on the same folder.
 */
import { bootstrap, run } from './bootstrap.mjs'
import { SERVER } from './server.mjs'

const node = bootstrap()
const parts = [run(node, ['--watch', '--watch-preserve-output', ...SERVER]), run(node, ['node_modules/vite/bin/vite.js'])]
// When one of them ends, so does the other.
process.exit(await Promise.race(parts).then(async (code) => {
  process.emit('SIGTERM')
  await Promise.all(parts)
  return code
}))
