/**
 * The list of orders over half a million of them, by every filter, on PostgreSQL from ten clients, and beside a bare
 * handler. BENCH_ROUNDS makes it shorter.
 */
import { loadOrders, loadPlaces, VOLUMES } from './business.ts'
import { measureFilters, type Asked } from './filters.ts'
import { compare } from './measure.ts'
import { OURS, THEIRS } from './servers.ts'
import { loaded, onVolume } from './volume.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const LIST = '/daoyuan/api/end/self_study_room/app_school_orders'
const now = Math.floor(Date.now() / 1000)
const DAY = 86_400
const period = (key: string) => (n: number) => `${key}_start=${now - (30 + (n % 400)) * DAY}&${key}_end=${now - (n % 400) * DAY}`
const mobile = (n: number) => `13${String(1 + (n * 7919) % VOLUMES.students).padStart(9, '0')}`

const asked: Asked = {
  'none': () => '',
  'status': (n) => `status=${[4, 7, 1, 12, 13][n % 5]}`,
  'two states': () => 'status=12&status=13',
  'school': (n) => `school_id=${1 + (n * 31) % VOLUMES.schools}`,
  'partner': (n) => `partner_id=${1 + (n * 31) % VOLUMES.partners}`,
  'unit': (n) => `unit_id=${1 + (n % 12)}`,
  'mobile': (n) => `buyer_mobile=${mobile(n)}`,
  'pay channel': (n) => `pay_channel=${['wechat', 'alipay', 'cash', 'offline'][n % 4]}`,
  'paid in a month': period('paid_at'),
  'written in a month': period('created_at'),
  'amount': (n) => `amount_start=${20_000 + (n % 50) * 1000}&amount_end=${20_500 + (n % 50) * 1000}`,
  'goods': (n) => `goods=${encodeURIComponent(`套餐${1 + (n % 12)} 12`)}`,
  'school and status': (n) => `school_id=${1 + (n * 31) % VOLUMES.schools}&status=${[4, 7, 1, 12, 13][n % 5]}`,
  'status and month and channel': (n) => `status=12&pay_channel=cash&${period('paid_at')(n)}`,
  'keyword: order number': (n) => `keyword=${String(1 + (n * 7919) % VOLUMES.orders).padStart(8, '0')}`,
  'keyword: name': () => `keyword=${encodeURIComponent('王芳')}`,
  'keyword: nothing found': () => `keyword=${encodeURIComponent('欧阳娜娜')}`,
  'page 250': () => 'page=249&page_size=20',
  'sorted by amount': () => 'sort=-amount',
  'sorted by time of payment': () => 'sort=paid_at',
  'one state, sorted by amount': (n) => `status=${[4, 7, 1, 12, 13][n % 5]}&sort=-amount`,
}

await onVolume((db) => loaded(db, `${VOLUMES.orders.toLocaleString('en')} orders`, async () => {
  await loadPlaces(db)
  await loadOrders(db)
}), async ({ headers }) => {
  const missed = await measureFilters('school orders, 20 of them with a total, by', LIST, headers, asked, 3)
  await compare('by one state, with a total that stops at 10,001', {
    'product: session, grants, masking; a total is repeated for 5 s': { url: (n) => `${OURS}${LIST}?status=${[4, 7][n % 2]}`, headers },
    'bare: the same SQL, counts each time': { url: (n) => `${THEIRS}/orders?status=${[4, 7][n % 2]}` },
  }, ROUNDS)
  console.log(missed.length === 0 ? 'every filter within 80 ms' : `over 80 ms: ${missed.join(', ')}`)
})
