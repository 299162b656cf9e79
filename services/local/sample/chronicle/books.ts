/** The library and its cat. */
export const books = `
[10-01 7y 10:30] Kittiwick_Library: Hello. We are the library. Please imagine this said quietly.

[02-06 6y 15:15] Kittiwick_Library ×17 &overdue: Returned today, 41 years late, with a note: "It was very good. I read slowly." No fine. We do not count any more.
  [+44m] MissQuill: I lent it to him. In class. The relief is considerable.

[11-23 5y 11:50] Kittiwick_Library: Story hour moved from the carpet to the window, since the carpet is now the cat's.
[11-23 5y 16:05] Kittiwick_Library: She came in out of the rain, chose Large Print, and has not left. A name is wanted. Suggestions in the box by the door, please.
  [+31m] harbour.bakery: She is exactly the colour of our ginger biscuits, is all we'll say.
  [+1h] KittiwickSchool: Year 2 votes for Tyrannosaurus. It was unanimous.
    [+16h] Kittiwick_Library: The committee has met. Biscuit T. Rex it is, Biscuit for short.

[04-23 4y 09:40] Kittiwick_Library: Take a book, leave a line: there is a roll of paper by the door, nine metres long. It starts with "Once," and ends when you do. #onelongstory
  [+8h] Kittiwick_Library: Closing time, two metres in. There is a whale, a divorce and a recipe. We are very proud. {photo one-long-story 2048x1024}

[08-15 3y 13:00] Kittiwick_Library ×6: Summer readers: 61 children, 744 books, one allegation of skipping to the end. The end was good, so the case is closed. {library.kittiwick.example/summer-readers}
  [+55m] meera.teaches: Four of them now explain volcanoes to me. All correctly. 🌋

[10-31 2y 20:20] biscuit.the.cat: They put a hat on me. It is orange. It is gone now. Nobody will find it.

[01-17 2y 14:10] Kittiwick_Library: To the reader who leaves pressed flowers in the poetry: we have put them all in one envelope, with your page numbers. Ask at the desk, or do not. It will keep.
  [+2h] nour_writes: بعض الأزهار لي. اتركوا الباقي لمن يأتي.

[03-07 2y 10:20] biscuit.the.cat ×41 &returns: Quarterly figures, Returns: books sat on, 212. Books knocked down, 30. Books knocked down on purpose, 30.
  [+14m] oleksa_dev: Нарешті чесний звіт з метриками.
  [+32m] Kittiwick_Library: The board has accepted the figures. The board is allergic.

[05-30 1y 16:50] Kittiwick_Library: A gentleman asked for "a book in which nothing happens, but well". We had eleven. He took nine.
  [+21m] mizuho_utsuwa: その九冊の題名を教えてください。
    [+1h] Kittiwick_Library: Here is the list, with a tenth that we thought of on the stairs. {library.kittiwick.example/lists/nothing-happens-well}
      [+3m] mizuho_utsuwa: ありがとう。冬の準備ができました。📚

[Sat 49w 11:25] Kittiwick_Library: The photocopier is working. We mention it because it seemed to want to be mentioned.
[Tue 41w 12:45] biscuit.the.cat: A dog came in. It could not read. I have seen enough.
  [+36m] Kittiwick_Library: It was an assistance dog, it was charming, and you hid in Atlases.
    [+2m] biscuit.the.cat: I was looking up where it should go.
[Wed 36w 15:30] Kittiwick_Library: Crossword club is one short after 4 down. (It was SHORT. We are sorry.) New members welcome.
[Fri 27w 10:55] Kittiwick_Library: We found a tide table from 1931 used as a bookmark. We checked: high water was right. {photo tide-table-1931 900x1200}
  [+47m] oleksa_dev: Звірив з Тайдбуком: різниця в одну хвилину. Знімаю шапку перед 1931 роком. 🎩
[Thu 23w 13:35] biscuit.the.cat: The sunny spot moved to Biography at 13:10. I moved with it. This is called keeping up.
[Sun 17w 14:50] Kittiwick_Library: Reading aloud in six languages this afternoon, one page each, nobody translates. It was astonishing how much we all understood.
  [+28m] InesMarulho: Li o mar. Toda a gente ouviu o mar.
  [+52m] TavernaEleni: Κι εγώ διάβασα συνταγή και έκλαψαν δύο. 🥲
  [+1h] meera.teaches: मैंने दादी की लोरी पढ़ी। सबसे पीछे कोई सच में सो गया।
    [+11m] HarbourBand: Our tuba. He says it was the highest compliment.
[Sat 12w 16:15] Kittiwick_Library: Lost in the library: one glove, one thread of thought, one grandfather (found, in Railways).
[Tue 6w 11:40] biscuit.the.cat: Today I was returned by mistake. Somebody put me in the slot. I have been checked in. I am not overdue.
[Thu 4w 09:30] Kittiwick_Library: RT &returns
[Wed 1w 14:25] Kittiwick_Library: Question at the desk: "Do you have anything about everything?" Second floor, left, 032. Answer at the desk: "Anything shorter?"
  [+16m] MissQuill: A haiku.
    [+7m] mizuho_utsuwa: 本閉じて⏎猫の重さの⏎膝あたたか
      [+12m] biscuit.the.cat: This is about me. I allow it.
`;
