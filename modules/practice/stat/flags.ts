/** What looks suspicious in the answers to a question (domain 3.8), by its stored name. */
export const FLAG_LABELS: Readonly<Record<string, string>> = {
  too_easy: '过易', too_hard: '过难', low_discrimination: '区分度低', negative_discrimination: '疑似错题', weak_distractor: '弱干扰项', wrong_key: '疑似答案错',
}
