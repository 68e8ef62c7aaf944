import { seededRandom, type Random } from './random.ts'

/** Surnames by how common they are, in tenths of a per cent. */
const SURNAMES = [
  ['王', 72], ['李', 71], ['张', 68], ['刘', 54], ['陈', 45], ['杨', 31], ['黄', 22], ['赵', 21], ['吴', 20], ['周', 19], ['徐', 15], ['孙', 15],
  ['马', 13], ['朱', 13], ['胡', 12], ['郭', 12], ['何', 12], ['林', 11], ['高', 10], ['罗', 9], ['郑', 9], ['梁', 8], ['谢', 7], ['宋', 7],
  ['唐', 7], ['许', 6], ['邓', 6], ['韩', 6], ['冯', 6], ['曹', 6], ['彭', 5], ['曾', 5], ['肖', 5], ['田', 5], ['董', 5], ['潘', 5],
  ['袁', 5], ['蔡', 5], ['蒋', 5], ['余', 4], ['于', 4], ['杜', 4], ['叶', 4], ['程', 4], ['魏', 4], ['苏', 4], ['吕', 4], ['丁', 4],
  ['沈', 3], ['任', 3], ['姚', 3], ['卢', 3], ['钟', 3], ['姜', 3], ['崔', 3], ['谭', 3], ['陆', 3], ['范', 3], ['汪', 3], ['廖', 3],
  ['石', 3], ['金', 3], ['顾', 2], ['邵', 2], ['孟', 2], ['龙', 2], ['钱', 2], ['严', 2], ['欧阳', 1], ['上官', 1],
] as const

const words = (text: string) => text.split(' ')

/** Given names of each generation; men's first. */
const GIVEN = {
  child: [
    words('子轩 浩然 宇航 梓睿 俊熙 皓轩 一诺 沐辰 奕辰 子墨 天佑 博文 思远 泽宇 嘉懿 铭泽 星辰 致远 承宇 瑾瑜 家豪 睿哲 云帆 景行 逸飞 启航 弘毅 明轩 文博 俊杰 昊天 子豪 子涵 天宇 志远 晨曦 乐天 凯瑞 鹏程 锦程'),
    words('梓涵 雨桐 欣怡 诗涵 可馨 思琪 语桐 若曦 佳怡 梦瑶 雨萱 一诺 紫萱 静怡 子萱 思彤 雅琪 心怡 诗雨 依诺 梓萱 艺涵 馨月 语嫣 晨曦 可欣 雨欣 嘉怡 婉清 书瑶 芷若 清妍 沐瑶 宛儿 昕玥 乐瑶 安然 亦菲 佳琪 悦宁'),
  ],
  adult: [
    words('伟 强 军 磊 勇 涛 斌 鹏 辉 刚 超 杰 波 飞 亮 建华 志强 建国 文斌 海涛 晓东 志刚 国庆 永强 立新 德明 俊峰 振华 少华 明辉 学文 家明 卫东 建军 新民 思源 浩 凯 晨 宁'),
    words('芳 娜 敏 静 丽 艳 娟 霞 燕 玲 婷 慧 莉 倩 洁 丽华 秀英 桂英 玉兰 晓燕 海燕 春梅 丽娟 小红 淑芬 秀兰 雪梅 文静 美玲 晓丽 红梅 玉梅 建英 志红 晓敏 佳 璐 颖 雯 琳'),
  ],
} as const

/** First three digits in use on the mainland. */
const PREFIXES = [
  '130', '131', '132', '133', '134', '135', '136', '137', '138', '139', '150', '151', '152', '153', '155', '156', '157', '158', '159',
  '166', '173', '175', '176', '177', '178', '180', '181', '182', '183', '185', '186', '187', '188', '189', '191', '198', '199',
]

/** Somebody who does not exist. */
export interface Person {
  name: string
  /** 1 male, 2 female. */
  gender: 1 | 2
  mobile: string
}

/**
 * The person with a number, always the same one: modules that name the same number mean the same person.
 * Numbers below a hundred million have numbers of their own to call.
 */
export function person(number: number, generation: keyof typeof GIVEN): Person {
  const random = seededRandom(number + 1)
  const gender = random.chance(0.51) ? 1 : 2
  // An odd factor that five does not divide reaches every eight-digit number once.
  const rest = (number * 48_271_117 + 20_260_901) % 100_000_000
  return {
    name: random.weighted(SURNAMES) + random.pick(GIVEN[generation][gender - 1] ?? GIVEN.child[0]),
    gender,
    mobile: random.pick(PREFIXES) + String(rest).padStart(8, '0'),
  }
}

/** Where the numbers of each kind of person begin, so that no two kinds share a mobile unless they mean to. */
export const PEOPLE = { student: 0, parent: 100_000, user: 200_000, teacher: 300_000, partner: 400_000, agent: 500_000, staff: 600_000 } as const

const ROADS = words('人民路 中山路 解放路 建设路 和平路 新华路 文化路 长江路 学府路 育才路 青年路 朝阳路 友谊路 滨河路 迎宾大道 世纪大道 体育场路 车站路 花园路 迎春街')

/** A street with a number, 建设路 128 号 创业大厦 3 楼. */
export function streetAddress(random: Random): string {
  const floor = random.weighted([['', 5], [` ${random.int(1, 6)} 楼`, 3], [` ${random.pick(words('创业大厦 时代广场 文化中心 商务中心 教育大厦'))} ${random.int(2, 18)} 层`, 2]])
  return `${random.pick(ROADS)} ${random.int(1, 699)} 号${floor}`
}
