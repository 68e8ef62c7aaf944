import { defineModule } from '../../core/module/define.ts'

/** 小学应用: English of primary school: its textbooks and courses, their words, phonograms and lessons. */
export default defineModule({
  name: 'english-app',
  title: '小学应用',
  screens: [
    '/englishApp/textbooks', '/englishApp/series', '/englishApp/detail', '/englishApp/phonogram', '/englishApp/catalog', '/englishApp/phonogramcatalog', '/englishApp/users', '/englishApp/orders',
    '/englishApp/addWord', '/englishApp/editWord/:id',
  ],
})
