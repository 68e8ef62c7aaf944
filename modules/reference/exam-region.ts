/** A region whose exam papers are collected: a national paper, or a province with its code. */
export interface ExamRegion {
  readonly id: number
  readonly name: string
  readonly kind: 'national' | 'province'
  /** Two digits of the province (GB/T 2260). */
  readonly code?: string
}

/** The 34 provinces in the order of their codes. */
const PROVINCES = [
  ['11', '北京'], ['12', '天津'], ['13', '河北'], ['14', '山西'], ['15', '内蒙古'], ['21', '辽宁'], ['22', '吉林'], ['23', '黑龙江'],
  ['31', '上海'], ['32', '江苏'], ['33', '浙江'], ['34', '安徽'], ['35', '福建'], ['36', '江西'], ['37', '山东'],
  ['41', '河南'], ['42', '湖北'], ['43', '湖南'], ['44', '广东'], ['45', '广西'], ['46', '海南'],
  ['50', '重庆'], ['51', '四川'], ['52', '贵州'], ['53', '云南'], ['54', '西藏'],
  ['61', '陕西'], ['62', '甘肃'], ['63', '青海'], ['64', '宁夏'], ['65', '新疆'], ['71', '台湾'], ['81', '香港'], ['82', '澳门'],
] as const

/** spec 9: the province list of 37 entries including national 1-3. */
export const EXAM_REGIONS: readonly ExamRegion[] = [
  ...['全国Ⅰ卷', '全国Ⅱ卷', '全国Ⅲ卷'].map((name, index) => ({ id: index + 1, name, kind: 'national' } as const)),
  ...PROVINCES.map(([code, name], index) => ({ id: index + 4, name, kind: 'province', code } as const)),
]
