import { listTrend } from '../../core/module/dashboard.server.ts'
import { serveModule } from '../../core/module/serve.server.ts'
import { addSpeechCheck } from '../comment/door.server.ts'
import { addPracticeUser } from '../practice/door.server.ts'
import { answerCalls, teachers } from './answer/teacher.server.ts'
import { leaveSweep } from './answer/assign.server.ts'
import { insertModerationDemo } from './demo.server.ts'
import door from './module.ts'
import { mutes } from './mute.server.ts'
import { reviewCalls, reviews, reviewWaiting } from './review/queue.server.ts'
import { commentOverview } from './said/author.server.ts'
import { saidCalls } from './said/calls.server.ts'
import { deviceCalls } from './said/device.server.ts'
import { videoComment } from './said/said.ts'
import { listen } from './said/say.server.ts'
import { askWaiting, practiceComments, spokenPractice, videoComments } from './said/service.server.ts'
import { totalsRights } from './rights.ts'
import { wordCalls } from './word/calls.server.ts'
import { words } from './word/words.server.ts'

// Evaluations of courses are looked at like everything that learners say.
addSpeechCheck(async (db, speech) => (await listen(db, speech)).text)
addPracticeUser(spokenPractice)

export default serveModule({
  door,
  after: ['reference', 'staff', 'user', 'practice', 'asset', 'outline', 'offer', 'comment', 'lesson'],
  services: [videoComments, practiceComments, reviews, words, mutes, teachers],
  calls: () => [...saidCalls(), ...deviceCalls(), ...reviewCalls(), ...wordCalls(), ...answerCalls()],
  waiting: [reviewWaiting, ...askWaiting],
  overview: commentOverview,
  sweeps: ({ db }) => [leaveSweep(db)],
  trends: [listTrend(videoComment, { name: 'new_comment', title: '新增视频评论', as: 'number', path: '/comment/search', at: 'created_at' })],
  rights: totalsRights,
  demo: insertModerationDemo,
})
