import type { PackItem } from './pack-item.ts'

/** A topic of the demo: what a pack is about, and what tasks of it are called. */
export interface Topic {
  readonly subject_id: number
  readonly name: string
  readonly lessons: readonly string[]
}

/** Junior mathematics, physics and English, as tutors teach them in an autumn (spec 3: junior subjects begin at 101). */
export const TOPICS: readonly Topic[] = [
  { subject_id: 101, name: '全等三角形', lessons: ['三角形的边与角', '全等的判定 SSS 与 SAS', '全等的判定 ASA 与 AAS', '角平分线的性质', '全等的综合应用'] },
  { subject_id: 101, name: '一次函数', lessons: ['变量与函数', '一次函数的图象', '待定系数法', '一次函数与方程', '方案选择问题'] },
  { subject_id: 101, name: '整式的乘法与因式分解', lessons: ['幂的运算', '整式的乘法', '平方差公式', '完全平方公式', '因式分解'] },
  { subject_id: 101, name: '勾股定理', lessons: ['勾股定理的证明', '勾股定理的应用', '逆定理', '最短路径问题'] },
  { subject_id: 104, name: '机械运动', lessons: ['长度和时间的测量', '运动的描述', '速度的计算', '测量平均速度'] },
  { subject_id: 104, name: '光现象', lessons: ['光的直线传播', '光的反射', '平面镜成像', '光的折射'] },
  { subject_id: 103, name: '阅读与完形', lessons: ['记叙文的线索', '说明文的结构', '完形中的上下文', '主旨与推断'] },
  { subject_id: 103, name: '时态与写作', lessons: ['一般过去时', '现在完成时', '书信的格式', '看图写话'] },
]

const READING = '先用自己的话说一说这一课解决了什么问题，再看例题。看的时候把每一步的理由写在旁边，写不出理由的地方就是还没有学懂的地方。最后合上资料，把例题重新做一遍，和原来的解答对照。'

/** What a pack about a topic holds: something to read, and something to say by heart or to do, for each lesson. */
export const itemsOf = ({ lessons, name }: Topic, subject: string): PackItem[] => lessons.flatMap((lesson, index): PackItem[] => {
  const term = `第 ${index + 1} 课`
  const item = (kind: PackItem['kind'], title: string, body: string, minutes: number | null): PackItem => ({ key: `demo-${index}-${kind}`, term, kind, title, body, asset_id: null, paper_id: null, minutes })
  return [
    item('article', `${lesson}：预习`, `${subject}《${name}》${term}：${lesson}。\n\n${READING}`, null),
    item('recite', `${lesson}：背诵要点`, `合上书，说出「${lesson}」的要点和一个例子，录一段 60 秒以内的语音。`, 5),
  ]
})

/** What learners and teachers write to each other. */
export const ASKED = ['老师，第 3 题辅助线怎么想到的？', '这道题我算了两遍都不一样', '今天作业有点多，晚一点交可以吗', '我把错题重新做了一遍，您看看', '最后一问没有思路', '单词都背完了', '老师，这一步为什么可以约分', '拍照有点糊，我重新发一张'] as const
export const ANSWERED = ['先看已知条件里有没有中点，有中点常常倍长中线。', '第二步去括号时符号变了，检查一下。', '可以，今晚九点前交就行。', '这次步骤写得很完整，继续保持。', '把图画大一点，标上已知角，再试一次。', '很好，明天抽查三个单词。', '因为分母不为零，题目里已经给了条件。', '收到，清楚多了。'] as const
export const RETURNED = ['步骤不完整，请补上推理依据', '第 2、4 题漏做，请补完', '字迹看不清，请重新拍照'] as const
export const PHRASES = ['步骤完整，思路清楚。', '计算要再细心，建议每一步都检查符号。', '请把错题抄到错题本，明天重做一遍。', '进步明显，继续保持！'] as const
export const FOLLOWED = ['和家长通了电话，这周学校期中复习，周末补上进度。', '孩子觉得几何太难，约定每天只做两题，先把信心找回来。', '已提醒，今晚开始恢复打卡。', '家长反映作业时间太晚，改为晚饭后第一件事完成。'] as const

/** A report's words from figures: long enough to be sent. */
export const wordsOf = (name: string, lesson: string, done: number, tasks: number) => `${name}这一阶段完成了 ${done} / ${tasks} 个任务，「${lesson}」掌握得比较扎实，解题步骤也写得更清楚了。计算的准确率还可以再提高，建议每天留出五分钟检查。`

/** A page of homework as a drawing: lines of working with a figure. */
export function homework(lesson: string, seed: number): string {
  const lines = Array.from({ length: 6 }, (_, row) => `<path d="M60 ${190 + row * 70}q40 -18 80 0t80 0 80 0 ${60 + ((seed * 37 + row * 53) % 260)} 0" fill="none" stroke="#3a4a63" stroke-width="4"/>`).join('')
  const [a, b] = [300 + (seed * 17) % 80, 660 + (seed * 29) % 60]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="960" viewBox="0 0 720 960"><rect width="720" height="960" fill="#fbfaf5"/><g stroke="#dfe6ee">${Array.from({ length: 12 }, (_, row) => `<path d="M40 ${150 + row * 70}h640"/>`).join('')}</g>
<text x="60" y="110" font-size="38" font-family="KaiTi, 'Kaiti SC', 'Noto Serif CJK SC', serif" fill="#26324a">${lesson}</text>${lines}<path d="M120 ${b + 180}L${a} ${b - 20}L560 ${b + 180}z" fill="none" stroke="#26324a" stroke-width="4"/></svg>
`
}
