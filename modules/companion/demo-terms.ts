import { linesOfText } from '../../core/field/rich-text.ts'
import type { PackItem } from './pack-item.ts'
import { termWord, type PackTerm, type TermKind } from './pack-term.ts'

type Line = readonly [word: string, explain: string, example?: string]

/** Terms of the demo's packs, by the name of their topic. */
const TERMS: Readonly<Record<string, { kind: TermKind; lines: readonly Line[] }>> = {
  全等三角形: { kind: 'point', lines: [
    ['全等形', '能够完全重合的两个图形。'], ['对应顶点', '两个全等三角形重合时，互相重合的顶点。'], ['SSS', '三边分别相等的两个三角形全等。', '已知 AB = DE，BC = EF，AC = DF，求证 △ABC ≌ △DEF。'],
    ['SAS', '两边和它们的夹角分别相等的两个三角形全等。夹角不能换成其中一边的对角。'], ['ASA', '两角和它们的夹边分别相等的两个三角形全等。'], ['AAS', '两角和其中一角的对边分别相等的两个三角形全等。'],
    ['角平分线的性质', '角平分线上的点到角两边的距离相等。'], ['倍长中线', '延长中线一倍，构造全等三角形，把分散的条件集中到一个三角形里。'],
  ] },
  一次函数: { kind: 'point', lines: [
    ['变量与函数', '一个变量的每一个值都有另一个变量唯一的值与它对应，后者是前者的函数。'], ['正比例函数', '形如 y = kx（k ≠ 0）的函数，图象是过原点的直线。'], ['一次函数的图象', '一条直线：k 定方向，b 定与 y 轴的交点。'], ['待定系数法', '先设出含未知系数的式子，再用条件列方程求出系数。', '直线过 (1, 3) 和 (2, 5)，求它的解析式。'],
  ] },
  整式的乘法与因式分解: { kind: 'point', lines: [
    ['幂的运算', '同底数幂相乘，底数不变，指数相加。'], ['平方差公式', '(a + b)(a − b) = a² − b²。', '计算 103 × 97。'], ['完全平方公式', '(a ± b)² = a² ± 2ab + b²。'], ['因式分解', '把一个多项式化成几个整式的积。', '分解 x² − 9。'],
  ] },
  勾股定理: { kind: 'point', lines: [['勾股定理', '直角三角形两直角边的平方和等于斜边的平方。'], ['逆定理', '三边满足 a² + b² = c² 的三角形是直角三角形。'], ['勾股数', '能作为直角三角形三边的一组正整数。', '3、4、5；5、12、13。'], ['最短路径问题', '把立体展开成平面，两点之间线段最短。']] },
  机械运动: { kind: 'point', lines: [['参照物', '判断物体是否运动时，选来作标准的物体。'], ['速度', '路程与时间之比，表示运动的快慢。', '10 m/s 合 36 km/h。'], ['平均速度', '总路程除以总时间，不是速度的平均值。']] },
  光现象: { kind: 'point', lines: [['光的直线传播', '光在同种均匀介质中沿直线传播。', '影子、小孔成像。'], ['光的反射', '反射角等于入射角。'], ['平面镜成像', '像与物等大、等距、左右相反，是虚像。'], ['光的折射', '光从空气斜射入水中时，折射角小于入射角。']] },
  阅读与完形: { kind: 'word', lines: [
    ['clue', 'n. 线索', 'Look for clues in the first sentence.'], ['context', 'n. 上下文，语境', 'Guess the meaning from the context.'], ['infer', 'v. 推断', 'What can we infer from the last paragraph?'], ['main idea', '主旨大意'], ['according to', '根据，按照', 'According to the writer, reading helps us think.'], ['structure', 'n. 结构'],
  ] },
  时态与写作: { kind: 'recite', lines: [['一般过去时', '表示过去某时发生的动作或状态，动词用过去式。', 'I visited my grandparents last weekend.'], ['现在完成时', 'have / has + 过去分词：过去的动作对现在有影响。', 'She has already finished her homework.'], ['书信的格式', '称呼、正文、结束语、签名四部分。']] },
}

/** Terms of a topic, and its items with those that they speak of or teach. @param media ids of a sound and a picture of the library */
export function withTerms(topic: string, items: readonly PackItem[], media: { sound: number | undefined; picture: number | undefined }): { terms: PackTerm[]; items: PackItem[] } {
  const { kind, lines } = TERMS[topic] ?? { kind: 'point' as const, lines: [] }
  const terms = lines.map(([word, explain, example], at): PackTerm => ({
    key: `demo-term-${at}`, kind, word, explain: linesOfText(explain), ...(example && { example }), ...(at === 0 && kind === 'word' && media.sound !== undefined && { sound_id: media.sound }), ...(at === 0 && kind === 'point' && media.picture !== undefined && { picture_id: media.picture }),
  }))
  const lessons = [...new Set(items.map(({ term }) => term))]
  return { terms, items: items.map((item) => {
    const spoken = terms.filter(({ word }) => termWord(`${item.title} ${item.body}`).includes(termWord(word)))
    const taught = item.kind === 'recite' ? terms.filter((_, at) => at % Math.max(1, lessons.length) === lessons.indexOf(item.term)) : []
    const keys = [...new Set([...spoken, ...taught].map(({ key }) => key))]
    return keys.length > 0 ? { ...item, terms: keys } : item
  }) }
}
