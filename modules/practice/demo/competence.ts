/** 核心素养 that questions of a subject are mostly about, by the last two digits of the subject. */
export const COMPETENCES: Readonly<Record<number, string>> = {
  1: '数学运算', 2: '语言能力', 3: '科学思维', 4: '变化观念', 5: '生命观念', 6: '综合思维', 7: '语言建构与运用', 8: '史料实证', 10: '科学精神',
}
