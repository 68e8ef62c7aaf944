/** What each kind of room costs in the demo, in fen, and how many pads come with it. */
export const DEMO_ROOM_TYPES = [
  { type: 'common', service_fee: 19_800_00, exchange_service_fee: 120_00, pad_cnt: 20 },
  { type: 'gaosi', service_fee: 36_800_00, exchange_service_fee: 200_00, pad_cnt: 30 },
  { type: 'lesson_class', service_fee: 9_800_00, exchange_service_fee: 80_00, pad_cnt: 10 },
] as const

export type DemoRoomType = (typeof DEMO_ROOM_TYPES)[number]['type']

const JUNIOR = ['数学', '英语', '物理', '化学', '生物', '地理', '语文', '历史']
const SENIOR = [...JUNIOR, '政治']

/** Grades from `from` to `to` study with it. */
interface DemoUnit {
  readonly name: string
  readonly subjects: string[]
  readonly months: number
  readonly from: number
  readonly to: number
}

export const DEMO_UNITS: readonly DemoUnit[] = [
  { name: '初中全科年卡', subjects: JUNIOR, months: 12, from: 7, to: 9 },
  { name: '初中全科学期卡', subjects: JUNIOR, months: 6, from: 7, to: 9 },
  { name: '初中理科年卡', subjects: ['数学', '物理', '化学'], months: 12, from: 8, to: 9 },
  { name: '初中语数英年卡', subjects: ['语文', '数学', '英语'], months: 12, from: 7, to: 9 },
  { name: '中考冲刺季卡', subjects: JUNIOR, months: 3, from: 9, to: 9 },
  { name: '高中全科年卡', subjects: SENIOR, months: 12, from: 10, to: 12 },
  { name: '高中全科学期卡', subjects: SENIOR, months: 6, from: 10, to: 12 },
  { name: '高中物化生年卡', subjects: ['物理', '化学', '生物'], months: 12, from: 10, to: 12 },
  { name: '高中史地政年卡', subjects: ['历史', '地理', '政治'], months: 12, from: 10, to: 12 },
  { name: '高中数学单科年卡', subjects: ['数学'], months: 12, from: 10, to: 12 },
  { name: '高考冲刺季卡', subjects: SENIOR, months: 3, from: 12, to: 12 },
  { name: '小学同步年卡', subjects: ['语文', '数学', '英语'], months: 12, from: 1, to: 6 },
]

/** One for each of the forty partners. */
export const BRANDS = ('启航 博学 思源 晨光 明德 致远 新知 知行 尚学 凌云 弘文 优加 青藤 笃行 远航 海棠 墨香 星途 学海 春晖 '
  + '励志 鸿鹄 求实 崇文 向阳 金榜 聚贤 慧学 勤思 文澜 书山 云帆 领先 百川 格致 起点 树人 乐学 同行 朗润').split(' ')

export const COMPANIES = ['教育科技有限公司', '教育科技有限公司', '教育咨询有限公司', '文化传播有限公司', '教育培训有限公司', '托管服务有限公司']

/** What a place to study is called in each kind. */
export const SCHOOL_NAMES: Readonly<Record<DemoRoomType, (brand: string, spot: string) => string>> = {
  common: (brand, spot) => `${brand}自习室（${spot}店）`,
  gaosi: (brand, spot) => `${brand}高思学习中心（${spot}店）`,
  lesson_class: (brand, spot) => `${brand}课程班（${spot}校区）`,
}
