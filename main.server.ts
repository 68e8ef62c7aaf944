import { ConfigError, readConfig } from './core/config.server.ts'
import { serveConsole } from './core/http/console.server.ts'
import { listen } from './core/http/listen.server.ts'
import { migrate } from './core/database/migrate.server.ts'
import { openDatabase } from './core/database/open.server.ts'
import { assemble } from './core/module/assemble.server.ts'
import { install } from './core/module/seed.server.ts'
import { screenGroups } from './modules/screens.ts'

const say = (text: string) => console.log(text)

async function start(): Promise<void> {
  const config = readConfig()
  const db = await openDatabase(config)
  await migrate(db, (name) => say(`  正在更新数据库：${name}`))
  const app = await assemble(config, db, { groups: screenGroups }, { log: true })
  const accounts = await install(config, app.kernel, app.modules, app.kernel.grantTree, (text) => say(`  ${text}`))
  const isFilling = await app.demo.prepare(config, app.kernel.db, app.modules)
  await serveConsole(app.http, config)

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await app.demo.stop()
    await app.http.close()
    await db.close()
    process.exit(0)
  }
  process.on('SIGINT', () => void stop())
  process.on('SIGTERM', () => void stop())

  await listen(app.http, config)
  say(`\n道远后台已启动：${new URL('new/', config.publicUrl ?? `http://${config.host}:${config.port}/`).href}\n`)
  for (const { account, password, note } of accounts) say(`  账号 ${account.padEnd(10)} 密码 ${password.padEnd(14)} ${note}`)
  if (!isFilling) return
  say('\n  正在后台生成演示数据：现在可以登录查看，完成后可以修改')
  const began = Date.now()
  // What is missing is made at the next start; what is there works.
  const whole = await app.demo.run(config, app.kernel.db, (text) => say(`  ${text}`)).catch((error: unknown) => console.error('演示数据没有全部生成，下次启动时继续。', error))
  if (whole) say(`  演示数据已全部生成，用时 ${Math.round((Date.now() - began) / 1000)} 秒`)
}

start().catch((error: unknown) => {
  // What the administrator can mend is a sentence; anything else keeps its trace.
  console.error(error instanceof ConfigError || (error instanceof Error && /[\u4e00-\u9fff]/.test(error.message)) ? error.message : error)
  process.exit(1)
})
