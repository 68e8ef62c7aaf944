/**
 * Brings a fresh machine with any Node >= 20 to the point where the product runs: the pinned Node, then the packages.
 * Plain JavaScript without packages, because nothing is installed yet when it runs.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')
/** Node that runs the server: it strips types, so TypeScript needs no build. Installed as its registry package. */
const NODE_VERSION = '24.21.0'
const npmCli = process.env.npm_execpath

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

function hashOf(...files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function npm(node, args, cwd, what) {
  const command = npmCli?.endsWith('js') ? [node, npmCli, ...args] : ['npm', ...args]
  const result = spawnSync(command[0], command.slice(1), {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32' && command[0] === 'npm',
    env: { ...process.env, PATH: `${join(node, '..')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` },
  })
  if (result.status !== 0) fail(`${what}失败：\n${result.stderr ?? result.error?.message ?? ''}`)
}

/** Path of the pinned Node, installed when missing. */
function ensureNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20) fail(`需要 Node 20 或更新的版本，当前是 ${process.version}`)
  const [wantMajor = 0, wantMinor = 0] = NODE_VERSION.split('.').map(Number)
  if (major === wantMajor && minor >= wantMinor) return process.execPath
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const folder = join(root, '.runtime')
  const binary = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const stamp = join(folder, 'version')
  if (existsSync(binary) && existsSync(stamp) && readFileSync(stamp, 'utf8') === NODE_VERSION) return binary
  console.log(`正在安装 Node ${NODE_VERSION} …`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  npm(process.execPath, ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${name}@${NODE_VERSION}`], folder, '安装 Node ')
  writeFileSync(stamp, NODE_VERSION)
  return binary
}

/**
 * Installs what the lock file names, when it has changed since the last time. Not with npm ci: it refuses a lock file
 * that leaves out other platforms' optional binaries, which registries do not always carry.
 */
function ensurePackages(node) {
  const stamp = join(root, 'node_modules', '.daoyuan-installed')
  const wanted = hashOf('package-lock.json')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('正在安装依赖 …')
  npm(node, ['install', '--no-save', '--no-audit', '--no-fund', '--include=dev'], root, '安装依赖')
  writeFileSync(stamp, wanted)
}

/** @returns path of the Node that runs everything else */
export function bootstrap() {
  const node = ensureNode()
  ensurePackages(node)
  return node
}

/**
 * Runs a command in the project with the pinned Node; resolves with its exit code. Signals reach the child. What Node compiles
 * is kept for the next time: the server then answers a second earlier.
 */
export function run(node, args, env = {}) {
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}`, ...env } })
  const forward = (signal) => child.kill(signal)
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      process.off('SIGINT', forward)
      process.off('SIGTERM', forward)
      resolve(signal ? 1 : (code ?? 1))
    })
  })
}
