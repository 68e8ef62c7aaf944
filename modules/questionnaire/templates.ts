import type { SurveyItem, SurveyOption } from '../../core/public-page/survey.ts'

/** Options by their words; ids are letters in their order. */
const options = (words: string): SurveyOption[] => words.split(' ').map((label, at) => ({ id: `o${at + 1}`, label }))

/** Questionnaires to begin with. */
export const TEMPLATES: readonly { readonly name: string; readonly intro: string; readonly questions: readonly SurveyItem[] }[] = [
  {
    name: '课程满意度',
    intro: '感谢您学习我们的课程，请用两分钟告诉我们您的感受。',
    questions: [
      { id: 'q1', type: 'single', title: '您是？', required: true, options: options('学生 家长 老师') },
      { id: 'q2', type: 'rate', title: '您对课程整体满意吗？', required: true, most: 5 },
      { id: 'q3', type: 'multi', title: '哪些地方让您不满意？', required: true, most: 3, options: options('讲得太快 题目太难 题目太简单 画面卡顿 答疑太慢 其他'), show: { question: 'q2', any: ['1', '2', '3'] } },
      { id: 'q4', type: 'words', title: '请具体说说', show: { question: 'q2', any: ['1', '2', '3'] }, most: 300 },
      { id: 'p1', type: 'page', title: '分项评价' },
      { id: 'q5', type: 'matrix', title: '请为各方面打分', required: true, rows: options('老师讲解 课后练习 学习平台 班主任服务'), options: options('不满意 一般 满意 很满意') },
      { id: 'q6', type: 'rank', title: '您最看重什么？请排序', options: options('提分效果 老师水平 价格 服务') },
      { id: 'q7', type: 'nps', title: '您有多愿意把我们推荐给朋友？', required: true },
    ],
  },
  {
    name: '续费意向回访',
    intro: '课程快结束了，想了解您接下来的打算。',
    questions: [
      { id: 'q1', type: 'single', title: '下学期您打算继续学习吗？', required: true, options: options('肯定继续 还在考虑 不打算继续'), jumps: [{ any: ['o1'], to: 'q4' }, { any: ['o3'], to: 'q3' }] },
      { id: 'q2', type: 'multi', title: '还在考虑的主要原因？', required: true, options: options('价格 时间安排 效果不明显 想换老师'), jumps: [{ any: ['o1', 'o2', 'o3', 'o4'], to: 'q4' }] },
      { id: 'q3', type: 'multi', title: '不打算继续的主要原因？', required: true, options: options('已转其他机构 成绩没有提高 没有时间 价格太高 孩子不愿意'), jumps: [{ any: ['o1', 'o2', 'o3', 'o4', 'o5'], to: 'q6' }] },
      { id: 'q4', type: 'single', title: '您希望什么时间上课？', options: options('周六上午 周六下午 周日上午 周日下午 平日晚上') },
      { id: 'q5', type: 'date', title: '方便顾问联系您的日期' },
      { id: 'q6', type: 'words', title: '还有什么想对我们说的？', most: 300 },
    ],
  },
  {
    name: '新用户来源',
    intro: '三道题，帮助我们把资源送到更多同学手里。',
    questions: [
      { id: 'q1', type: 'single', title: '您从哪里知道我们？', required: true, options: options('学校老师 同学推荐 书店 短视频 微信群 其他'), jumps: [{ any: ['o1', 'o2', 'o3', 'o4', 'o5'], to: 'q3' }] },
      { id: 'q2', type: 'fill', title: '请填写具体来源', required: true, most: 40 },
      { id: 'q3', type: 'multi', title: '您最想要哪些内容？', required: true, most: 3, options: options('同步课 题库 电子书 伴学 假期班') },
      { id: 'q4', type: 'nps', title: '第一次使用后，您愿意推荐给同学吗？', required: true },
    ],
  },
]
