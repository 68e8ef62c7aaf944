/**
 * Typing into a question with sixty formulas, in Chromium on a real server with demo data: how long the page stays still
 * between two frames, while keys come fast and when the typing rests and the preview, the draft and the search for alike
 * questions follow. The issue of the bank allows no frame over 50 ms.
 */
import { spawnSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { logIn, openPage, startBrowser, startServer } from '../e2e/browser.ts'
import { accountOf } from '../e2e/shell-steps.ts'
import { inlineDoc } from '../modules/practice/content/rich-doc.ts'
import { startWritten } from '../modules/practice/edit/written.ts'

const root = join(import.meta.dirname, '..')
spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })

const FORMULAS = 60
const LIMIT = 50
const KEYS = 120
/** Keys between two rests, and how long a rest is, in milliseconds: longer than anything waits for. */
const AT_ONCE = 20
const REST = 1800

const server = await startServer()
const browser = await startBrowser()
try {
  await using opened = await openPage(browser, server)
  const { page } = opened
  await logIn(page, accountOf(server))
  const start = startWritten(1)
  const formulas = Array.from({ length: FORMULAS }, (_, n) => [`第 ${n + 1} 项 `, { t: 'tex' as const, tex: `\\frac{x^{2}+${n}}{\\sqrt{x+${n + 1}}}=\\sum_{i=1}^{${n + 2}} a_{i}` }, '，'])
  const csrf = (await page.context().cookies()).find(({ name }) => name === 'csrf')?.value ?? ''
  const made = await page.request.post('/daoyuan/api/dou_practice/end/practice', {
    headers: { 'x-csrf-token': csrf }, data: { ...start, content: { ...start.content, stem: inlineDoc(formulas.flat()) }, level: 0 },
  })
  const { id } = await made.json() as { id: number }
  await page.goto(`/new/practice/back/${id}`)
  const stem = page.getByRole('textbox', { name: '题干', exact: true })
  await stem.locator('.katex').nth(FORMULAS - 1).waitFor()
  await page.waitForLoadState('networkidle')
  await stem.click()
  await page.keyboard.press('Control+End')
  const seen = await page.evaluateHandle(() => {
    const frames: number[] = []
    const tasks: number[] = []
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
    let last = performance.now()
    const tick = (now: number) => {
      frames.push(now - last)
      last = now
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
    return { frames, tasks }
  })
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.type('函数'[key % 2] ?? '', { delay: 0 })
    await page.waitForTimeout(key % AT_ONCE === AT_ONCE - 1 ? REST : 80)
  }
  const { frames, tasks } = await seen.jsonValue()
  const sorted = frames.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  console.log(`load of the machine, per processor ${((loadavg()[0] ?? 0) / availableParallelism()).toFixed(1)}`)
  console.log(`${KEYS} keys in a question of ${FORMULAS} formulas: ${frames.length} frames  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  longest ${at(1)} ms, ${frames.filter((one) => one > LIMIT).length} over ${LIMIT} ms; ${tasks.length} tasks of the page itself over ${LIMIT} ms${tasks.length > 0 ? `, the longest ${Math.max(...tasks).toFixed(0)} ms` : ''}`)
} finally {
  await browser.close()
  await server.stop()
}
