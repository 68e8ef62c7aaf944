import { blanks, hole, passage, single } from './build.ts'
import type { Template } from './maths.ts'
import type { QuestionContent } from '../content/question.ts'

/** Sentences with one gap: topic, subtopic, sentence, right word, three wrong ones, why. */
const GAPS = `时态|一般过去时|____ you ____ your homework last night?|Did; finish|Do; finish|Have; finished|Will; finish|last night 表示过去的时间，用一般过去时。
时态|现在完成时|I ____ this film twice, so I don't want to watch it again.|have seen|saw|see|will see|动作对现在有影响，用现在完成时。
时态|现在进行时|Look! The children ____ kites in the park.|are flying|fly|flew|have flown|Look! 提示动作正在进行。
时态|一般将来时|If it ____ tomorrow, we will stay at home.|rains|will rain|rained|is raining|条件状语从句用一般现在时表示将来。
时态|过去完成时|By the time we got to the station, the train ____.|had left|left|has left|leaves|动作发生在过去的过去，用过去完成时。
时态|过去进行时|I ____ dinner when you called me yesterday evening.|was cooking|cooked|am cooking|have cooked|过去某一时刻正在进行的动作。
语态与语气|被动语态|The bridge ____ in 1998.|was built|built|is built|has built|主语是动作的承受者，in 1998 用一般过去时的被动语态。
语态与语气|虚拟语气|If I ____ you, I would take his advice.|were|am|was being|had been|与现在事实相反的假设，be 用 were。
语态与语气|感叹句|____ beautiful flowers they are!|What|How|What a|How a|中心词是可数名词复数，用 What。
语态与语气|祈使句|____ late for school again, Tom.|Don't be|Not be|Doesn't be|Aren't|否定祈使句用 Don't 加动词原形。
非谓语动词|动词不定式|My parents encouraged me ____ the speech contest.|to enter|entering|enter|entered|encourage somebody to do something。
非谓语动词|动名词|Would you mind ____ the window?|opening|to open|open|opened|mind 后接动名词。
非谓语动词|过去分词|The boy ____ by the teacher is my brother.|praised|praising|to praise|praises|boy 与 praise 是被动关系，用过去分词作定语。
非谓语动词|现在分词|____ the news, she jumped with joy.|Hearing|Heard|To be hearing|Hear|与主语是主动关系，用现在分词作状语。
从句|宾语从句|Could you tell me ____?|where the library is|where is the library|where was the library|the library is where|宾语从句用陈述语序。
从句|定语从句|The scientist ____ we met yesterday works in Beijing.|whom|which|whose|what|先行词是人，从句中作宾语。
从句|定语从句|This is the school ____ I studied ten years ago.|where|which|that|when|从句中缺少地点状语，用 where。
从句|状语从句|____ he was tired, he kept on working.|Although|Because|Unless|So|前后是让步关系。
从句|主语从句|____ surprised us most was her courage.|What|That|Which|Who|主语从句中缺少主语，指事物，用 What。
从句|同位语从句|The news ____ our team won the game excited everyone.|that|which|what|whether|同位语从句不缺成分，用 that。
特殊句式|倒装句|Not until he came back ____ the truth.|did I know|I knew|I did know|have I known|Not until 置于句首，主句部分倒装。
特殊句式|强调句|It was in the park ____ I met her.|that|where|which|when|强调句型 It was … that …。
特殊句式|主谓一致|Neither my brother nor I ____ good at singing.|am|is|are|be|就近一致，与 I 一致。
特殊句式|反意疑问句|She has never been to London, ____?|has she|hasn't she|does she|isn't she|never 表否定，反意疑问用肯定。
情态动词|must 与 have to|You ____ be hungry after the long walk.|must|can't|needn't|mustn't|对现在的肯定推测用 must。
情态动词|should 与 ought to|You ____ have told me earlier; now it's too late.|should|can|may|must|should have done 表示本该做而未做。
词汇|介词|He was born ____ a cold winter morning.|on|in|at|by|具体某一天的早晨用 on。
词汇|冠词|She plays ____ piano very well.|the|a|an|/|西洋乐器前用 the。
词汇|代词|Help ____ to some fish, children.|yourselves|yourself|you|your|children 是复数，用 yourselves。
词汇|动词短语|Please ____ the lights before you leave.|turn off|turn on|turn up|turn into|离开前应关灯。
词汇|形容词与副词|Of the two sisters, Lucy is ____.|the taller|taller|tallest|the tallest|两者中较……的用 the 加比较级。
词汇|连词|Hurry up, ____ you will miss the bus.|or|and|but|so|祈使句加 or 表示否则。
交际用语|感谢与道歉|—Thank you for your help. —____|You're welcome.|That's right.|Never mind it.|All right.|对感谢的应答。
交际用语|建议与邀请|—Would you like to join us? —____|I'd love to.|Yes, I do.|No, I don't.|Help yourself.|对邀请的应答。`.split('\n').map((line) => line.split('|') as unknown as readonly [string, string, string, string, string, string, string, string])

/** Words to write in their right form: sentence, answer, subtopic. */
const FORMS = [
  ['There are many ____ (baby) in the hospital.', 'babies', '名词'], ['He is ____ (careful) than his sister.', 'more careful', '形容词与副词'], ['The ____ (nine) question is very difficult.', 'ninth', '数词'], ['She danced ____ (beautiful) at the party.', 'beautifully', '形容词与副词'],
  ['I have two ____ (knife) here.', 'knives', '名词'], ['Thanks for ____ (invite) me.', 'inviting', '介词'], ['This is ____ (he) bike.', 'his', '代词'], ['He runs as ____ (fast) as me.', 'fast', '形容词与副词'], ['It is ____ (danger) to swim here.', 'dangerous', '构词法'], ['They are ____ (tooth) of a shark.', 'teeth', '名词'],
  ['The boy was so ____ (excite) that he shouted.', 'excited', '构词法'], ['We celebrate ____ (Teacher) Day in September.', "Teachers'", '名词'], ['She is the ____ (win) of the race.', 'winner', '构词法'], ['My father stopped ____ (smoke) last year.', 'smoking', '动词短语'], ['He made a ____ (decide) to study harder.', 'decision', '构词法'],
] as const

const CLOZE: readonly (readonly [string, readonly (readonly [string, string, string, string])[]])[] = [
  ['When I was ten, my grandfather gave me an old watch. It did not [[1]] , but I kept it in a box because it [[2]] him a lot. One summer I took it to a small shop. The old man there looked at it [[3]] and said he would try. A week later he called me. The watch was [[4]] again, and he refused to take any money.',
    [['work', 'cost', 'open', 'break'], ['meant to', 'asked for', 'heard from', 'looked like'], ['carefully', 'hardly', 'angrily', 'suddenly'], ['running', 'missing', 'selling', 'crying']]],
  ['Our class planned a trip to the mountains last month. We had to get up [[1]] because the bus left at six. On the way it began to rain, [[2]] nobody wanted to go back. When we reached the top, the rain [[3]] and a rainbow appeared. We all agreed that the trip was [[4]] the trouble.',
    [['early', 'late', 'slowly', 'alone'], ['but', 'so', 'or', 'because'], ['stopped', 'fell', 'grew', 'followed'], ['worth', 'against', 'without', 'like']]],
  ['Many people think that reading takes too much time. In [[1]] , ten minutes a day are enough to finish more than ten books a year. The secret is to make it a [[2]] . Put a book next to your bed and [[3]] your phone in another room. Soon you will find that you look forward [[4]] those quiet minutes.',
    [['fact', 'turn', 'time', 'need'], ['habit', 'game', 'joke', 'rule'], ['leave', 'lend', 'lose', 'lift'], ['to', 'at', 'for', 'with']]],
]

const READING: readonly (readonly [string, readonly (readonly [string, string, string, string, string])[]])[] = [
  ['A farmer in Yunnan started to film his daily work three years ago. At first only his neighbours watched. Today more than two million people follow him. He shows how rice is planted and how tea is picked, and he sells what the village grows. Last year forty young people who had left for the city came back to work with him.',
    [['What did the farmer begin to do three years ago?', 'Film his daily work.', 'Sell tea in the city.', 'Teach young people.', 'Plant rice for neighbours.'], ['Why did young people come back?', 'To work with the farmer.', 'To watch his films.', 'To buy rice and tea.', 'To study at school.'], ['What is the best title?', 'A Farmer Who Changed His Village', 'How to Pick Tea', 'Life in a Big City', 'The History of Rice']]],
  ['Sleep is not a waste of time. While we sleep, the brain puts the events of the day in order and keeps what matters. Students who slept eight hours before a test remembered more than those who studied all night. Scientists also found that a short nap after lunch helps people to think more clearly in the afternoon.',
    [['What does the brain do during sleep?', 'It puts events in order.', 'It stops working.', 'It forgets everything.', 'It gets smaller.'], ['Which students remembered more?', 'Those who slept eight hours.', 'Those who studied all night.', 'Those who had no lunch.', 'Those who took no test.'], ['What is the passage mainly about?', 'Why sleep is useful.', 'How to pass a test.', 'What to eat for lunch.', 'When to get up.']]],
]

const all = <Value>(list: readonly (Value | undefined)[]): Value[] => list.filter((one): one is Value => one !== undefined)
const PEOPLE = ['Li Hua', 'Wang Wei', 'Tom', 'Mary', 'Jack', 'Linda', 'Peter', 'Kate'] as const

export const ENGLISH: readonly Template[] = [
  (r) => {
    const [topic, subtopic, sentence, right, a, b, c, why] = r.pick(GAPS)
    return { topic, subtopic, difficulty: r.int(3, 5), content: single(r, sentence, right, [a, b, c], why, 1.5) }
  },
  (r) => {
    const [sentence, answer, subtopic] = r.pick(FORMS)
    return { topic: '词汇', subtopic: subtopic === '数词' ? '数词' : subtopic, difficulty: 4, content: blanks(`用所给词的适当形式填空：${sentence}`, [[answer]], `应填 ${answer}。`, 1) }
  },
  (r) => {
    const [text, holes] = r.pick(CLOZE)
    const who = r.pick(PEOPLE)
    const children = all<QuestionContent>(holes.map(([right, ...wrong]) => hole(r, right, wrong, `根据上下文，应选 ${right}。`)))
    return { topic: '阅读', subtopic: '篇章结构', difficulty: 3, content: children.length === holes.length ? passage(5, `（${who} 的完形练习）\n${text}`, children) : undefined }
  },
  (r) => {
    const [text, asked] = r.pick(READING)
    const who = r.pick(PEOPLE)
    return { topic: '阅读', subtopic: r.pick(['细节理解', '主旨大意', '推理判断']), difficulty: 3, content: passage(6, `${who} read the following text.\n${text}`, all(asked.map(([stem, right, ...wrong]) => single(r, stem, right, wrong, `原文可以找到依据：${right}`, 2)))) }
  },
]
