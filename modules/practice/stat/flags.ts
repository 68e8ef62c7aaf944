/** What looks suspicious in the answers to a question (domain 3.8), by its stored name. */
export const FLAGS = [
  { value: 'wrong_key', label: '疑似答案错', hint: '高分组选其他选项的人比选标准答案的人多，请核对答案' },
  { value: 'negative_discrimination', label: '疑似错题', hint: '分数越高的学生反而越容易答错，请检查题干和答案' },
  { value: 'low_discrimination', label: '区分度低', hint: '高分和低分的学生答得差不多' },
  { value: 'too_hard', label: '过难', hint: '得分率低于 15%' },
  { value: 'too_easy', label: '过易', hint: '得分率高于 95%' },
  { value: 'weak_distractor', label: '弱干扰项', hint: '有选项几乎没有人选' },
] as const
export type Flag = (typeof FLAGS)[number]['value']

export const FLAG_LABELS: Readonly<Record<string, string>> = Object.fromEntries(FLAGS.map(({ value, label }) => [value, label]))
