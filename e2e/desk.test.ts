import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { selfMember } from '../modules/room/member.ts'
import { screenId } from '../modules/screens.ts'
import { logIn } from './browser.ts'
import { runConsole } from './console.ts'
import { option } from './form-steps.ts'
import { callAs as api, makeStaff } from './staff-steps.ts'

const BASE = '/daoyuan/api/end/self_study_room'
const OWN = '/daoyuan/api/end/study_room'
const ADMIN = { account: 'admin', password: 'Admin-pass1' }
const { open } = runConsole({ DEMO: '0', ADMIN_PASSWORD: ADMIN.password })

interface Id { id: number }

/** Counts what a person does: each key that is no letter of a word, each click. What is typed or scanned is counted apart. */
function counting(page: Page) {
  const count = { keys: 0, clicks: 0, scans: 0, words: 0 }
  return {
    count,
    press: (key: string) => { count.keys++; return page.keyboard.press(key) },
    type: (text: string) => { count.words++; return page.keyboard.type(text) },
    click: (place: { click(): Promise<void> }) => { count.clicks++; return place.click() },
    /** A scanner: letters faster than anybody types, and Enter, wherever the focus is. */
    async scan(code: string, enters = 1) {
      count.scans++
      await page.evaluate(({ text, times }) => {
        const at = document.activeElement ?? document.body
        const send = (key: string) => at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        for (const letter of text) send(letter)
        for (let time = 0; time < times; time++) send('Enter')
      }, { text: code, times: enters })
    },
  }
}

test('a day at the counter by keyboard and scanner: arrive, sit, buy, renew, change the seat, leave, give back, close the day', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  const type = (await api<Record<string, Id>>(page, 'GET', `${BASE}/type`))['common']?.id
  const school = await api<Id>(page, 'POST', `${OWN}/app_school`, { name: '道远自习室（人民路店）', type_id: type, region_code: '320508', address: '人民路 1 号', manager: '李店长', mobile: '13800138002' })
  const room = await api<Id & { rev: number }>(page, 'POST', `${OWN}/room`, { name: '安静区', school_id: school.id, type_id: type, status: 1 })
  await api(page, 'PUT', `${OWN}/room/${room.id}/seat_map`, { rev: room.rev, seats: Array.from({ length: 6 }, (_unused, x) => ({ area: 'A', row: 1, no: x + 1, kind: 1, x, y: 0, status: 1 })) })
  await api(page, 'POST', `${OWN}/member_card`, { name: '十次卡', school_id: school.id, kind: 2, quota: 10, valid_days: 90, price: 20_000, status: 1 })
  const kind = (await api<{ items: Id[] }>(page, 'GET', `${OWN}/member_cards`)).items[0]?.id
  const rain = await api<Id>(page, 'POST', `${OWN}/user`, { name: '周小雨', mobile: '13700001234', school_id: school.id })
  const snow = await api<Id>(page, 'POST', `${OWN}/user`, { name: '吴小雪', mobile: '13700005678', school_id: school.id })
  const held = await api<Id & { card_no: string }>(page, 'POST', `${OWN}/user/${snow.id}/card`, { card_id: kind, room_id: room.id, pay_channel: 'wechat', at_once: 1 })

  await page.goto(`/new/study-room/list?front=${room.id}`)
  const desk = page.getByRole('region', { name: '前台 · 安静区' })
  await desk.waitFor()
  const { press, type: write, scan, count } = counting(page)
  const of = (name: string) => desk.getByRole('region', { name: `会员 ${name}` })
  const seat = (name: RegExp) => desk.getByRole('button', { name })
  /** The counter waits a moment after each Enter, so that one that a scanner sends twice does nothing. */
  const enter = async () => { await page.waitForTimeout(750); await press('Enter') }

  // Arrive and buy: no card yet, so the card first. The price stands there before the money is taken.
  await write('13700001234')
  await press('Enter')
  await of('周*雨').waitFor()
  await press('F7')
  const sale = desk.getByRole('region', { name: '开卡', exact: true })
  await expect.poll(() => sale.textContent()).toContain('¥200.00')
  await press('1')
  await press('ArrowRight')
  await press('ArrowRight')
  await press('Enter')
  expect(await api<{ items: Id[] }>(page, 'GET', `${OWN}/user_cards?member_id=${rain.id}`)).toMatchObject({ items: [] })
  await press('Control+Enter')
  await page.getByText('已开卡「十次卡」，收 ¥200.00 现金').waitFor()

  // Sit.
  await enter()
  await seat(/1排1号，周\*雨在座/).waitFor()

  // A scanner finds the other wherever the focus is, and its second Enter does nothing.
  await scan(held.card_no, 2)
  await of('吴*雪').waitFor()
  await page.waitForTimeout(300)
  expect(await seat(/吴\*雪在座/).count()).toBe(0)
  await enter()
  await seat(/1排2号，吴\*雪在座/).waitFor()

  // Change the seat by arrows; Ctrl and Z is the way back.
  await press('F8')
  await press('ArrowRight')
  await enter()
  await seat(/1排4号，吴\*雪在座/).waitFor()
  await press('Control+z')
  await seat(/1排2号，吴\*雪在座/).waitFor()

  // What is in use is neither renewed nor given back, and the counter says why before anything is typed.
  await press('F4')
  await desk.getByText('正在使用，签退后才能续').waitFor()
  await press('Escape')

  // Leave, renew, come back another day: give the card back.
  await enter()
  await seat(/1排2号，空座/).waitFor()
  await page.getByText(/吴\*雪已签退，扣 1 次，剩余 9 次/).waitFor()
  await press('F4')
  await desk.getByRole('region', { name: '续卡', exact: true }).getByText('¥200.00').first().waitFor()
  await press('Control+Enter')
  await page.getByText('已续卡「十次卡」，收 ¥200.00 现金').waitFor()
  await of('吴*雪').getByText('19 次').waitFor()
  await press('F9')
  const back = desk.getByRole('region', { name: '退卡', exact: true })
  await press('Control+Enter')
  await back.getByText('原因至少 2 个字').waitFor()
  await write('不来了')
  // A scan into a field that somebody writes into takes nothing of it away.
  await scan('K000000000000')
  expect(await back.getByLabel('退卡原因').inputValue()).toBe('不来了')
  await press('Control+Enter')
  await page.getByText(/已退卡「十次卡」，退 ¥400.00/).waitFor()

  // The last one leaves, and the till is counted.
  await write('周小雨')
  await press('Enter')
  await of('周*雨').waitFor()
  await enter()
  await page.getByText(/周\*雨已签退，扣 1 次，剩余 9 次/).waitFor()
  await press('F10')
  await page.locator('#counted-cash').waitFor()
  // 200 of the new card in cash; of the renewal in cash and the card by 微信 nothing is left.
  const due = (await api<{ lines: { channel: string; expected: number; entries: number }[] }>(page, 'GET', `${OWN}/day_closings/open?room_id=${room.id}`)).lines
  for (const { channel, expected } of due.filter(({ entries }) => entries > 0)) await page.locator(`#counted-${channel}`).fill(String(expected / 100))
  await press('Control+Enter')
  await page.getByText('日结完成').waitFor()

  const list = await api<{ items: { expected: number; difference: number }[] }>(page, 'GET', `${OWN}/day_closings`)
  expect(list.items).toMatchObject([{ expected: 20_000, difference: 0 }])
  expect(await api<{ items: Id[] }>(page, 'GET', `${OWN}/visits`)).toMatchObject({ items: [{}, {}] })
  // ADR 78 counts what the same day took before.
  expect(count).toMatchObject({ clicks: 0, keys: 25, scans: 2, words: 3 })
  expect(problems).toEqual([])
}, 300_000)

test('two counters of one room see each other, and the second is told that the seat is gone', async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  const [room] = (await api<{ items: (Id & { school_id: number })[] }>(page, 'GET', `${OWN}/rooms`)).items
  const [kind] = (await api<{ items: Id[] }>(page, 'GET', `${OWN}/member_cards`)).items
  const people = await Promise.all(['郑一', '郑二'].map((name, n) => api<Id>(page, 'POST', `${OWN}/user`, { name, mobile: `1370000111${n}`, school_id: room?.school_id })))
  for (const { id } of people) await api(page, 'POST', `${OWN}/user/${id}/card`, { card_id: kind?.id, room_id: room?.id, pay_channel: 'cash', at_once: 1 })
  const clerk = await makeStaff(open, page, [screenId('/study-room/list'), selfMember.grant, selfMember.rights.id('visit')], '陈前台')
  await using second = await open()
  await logIn(second.page, clerk)
  const desks = [page, second.page]
  for (const one of desks) await one.goto(`/new/study-room/list?front=${room?.id}`)
  for (const [n, one] of desks.entries()) {
    await one.getByRole('combobox', { name: /姓名/ }).fill(`1370000111${n}`)
    await one.keyboard.press('Enter')
    await one.getByRole('region', { name: /^会员/ }).waitFor()
  }
  // Who may not see orders or sell finds neither money nor the keys to it.
  expect(await second.page.getByRole('region', { name: '今日收款' }).count()).toBe(0)
  expect(await second.page.getByRole('button', { name: /开卡/ }).isDisabled()).toBe(true)
  await page.waitForTimeout(800)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /1排1号，郑\*在座/ }).waitFor()
  await second.page.getByRole('button', { name: /1排1号，郑\*在座/ }).waitFor()
  // The other counter was told: it proposes the next seat.
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('button', { name: /1排2号，郑\*在座/ }).waitFor()
  expect([...problems, ...second.problems]).toEqual([])
}, 300_000)

test("a partner's order from nothing, with its money, takes at most half of what it took in steps", async () => {
  await using window = await open()
  const { page, problems } = window
  await logIn(page, ADMIN)
  const type = (await api<Record<string, Id>>(page, 'GET', `${BASE}/type`))['common']?.id
  await api(page, 'POST', `${BASE}/unit`, { name: '初中全科年卡', subjects: ['数学'], months: 12, status: 1 })
  await api(page, 'POST', `${BASE}/partner`, { name: '苏州启航教育科技有限公司', contact: '陈启航', mobile: '13800138000', region_code: '320508', level: 4, type_id: type, sign_at: 1_780_000_000, expire_at: 2_200_000_000 })
  await page.goto('/new/new-study-room/partner-order')
  const { click, press, type: write, count } = counting(page)
  await click(page.getByRole('button', { name: '录单' }))
  const entry = page.getByRole('region', { name: '录入合伙人订单' })
  // Whose turn it is stands open: the buyer, who is not signed, then what they buy, its price, how many.
  await click(option(page, '苏州启航'))
  await entry.getByText('合伙人还没有签约').waitFor()
  expect(await entry.getByRole('region', { name: '收货' }).count()).toBe(0)
  await click(option(page, '初中全科年卡'))
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('order_info_items_0_price')
  await write('50')
  await press('Tab')
  await write('20')
  await expect.poll(() => entry.getByRole('complementary', { name: '合计' }).textContent()).toContain('¥1,000.00')
  // What is wrong stands at its field and in a list, and nothing is sent.
  await entry.getByRole('button', { name: '提交并确认到账' }).click()
  await entry.getByRole('alert').filter({ hasText: '请选择支付方式' }).waitFor()
  await click(entry.getByText('对公', { exact: true }))
  await click(entry.getByRole('button', { name: '提交并确认到账' }))
  await page.getByText('提交成功').waitFor()
  expect(await api<{ items: object[] }>(page, 'GET', `${BASE}/partner_orders`)).toMatchObject({ items: [{ amount: 100_000, paid: 100_000, pay_channel: 'transfer', status: 2 }] })
  // In steps it took 16 clicks (ADR 78).
  expect(count).toMatchObject({ clicks: 5, keys: 1 })
  expect(problems).toEqual([])
}, 300_000)
