/** The bakery, its baker, and the taverna on the quay. */
export const kitchen = `
[04-02 7y 06:05] harbour.bakery: We have an oven, a starter called Gerald, and now this. Good morning, Kittiwick.
  [+22m] dougal_nets: Is it true about the cinnamon?
    [+4m] harbour.bakery: From ten. Form an orderly tide.

[12-06 6y 07:30] harbour.bakery @bakery: Gingerbread lighthouse, one metre ten, in the window until somebody's elbow finds it. {photo gingerbread-lighthouse 1200x1600}
  [+17m] lighthouse ×8: We are flattered. We have never been eaten before.

[01-06 4y 13:20] tamsin-bakes: Gerald (the starter) is ten years old today. He has eaten about two tonnes of flour and never once said thank you. 🎈
  [+30m] MissQuill: I taught boys like that. They came good.

[02-14 4y 06:15] harbour.bakery: Heart-shaped rolls today. If yours has come out kidney-shaped, the feeling is the same.

[08-01 4y 14:45] TavernaEleni @quay: Επτά τραπέζια, επτά παράθυρα, ανοίγουμε απόψε. Όποιος έρθει πρώτος διαλέγει θάλασσα. 💙 {photo seven-tables 1600x1067}
  [+50m] tamsin-bakes: I've put your bread on the sill. Two loaves for the house, they're for luck, not for guests.
    [+8m] TavernaEleni: Τώρα είμαστε κανονικό μαγαζί. Ευχαριστώ, κορίτσι μου 🤍
  [+2h] HarbourOffice: The whole night watch can smell oregano and requests relief.

[10-19 4y 11:10] TavernaEleni: Εδώ ο ουρανός είναι γκρι και τα λεμόνια ακριβά. Κι όμως η σούπα βγήκε κίτρινη.

[04-15 3y 12:30] TavernaEleni: Κόκκινα αυγά, τσουρέκι, και μια ουρά ως το παγκάκι. Εκατόν είκοσι αυγά! Ποιος με έβαλε να υποσχεθώ; 🥚
  [+11m] tamsin-bakes: You did. You shouted it across the harbour.
  [+36m] meera.teaches: Room 4 tested 22 of them for strength. Statistically, Callum's was a stone.

[06-03 3y 05:20] tamsin-bakes: There is a minute, about five, when the bread starts to crackle and the gulls haven't started yet. I'd pay rent for that minute.
  [+3h] nour_writes: أعرف تلك الدقيقة. أسلّم فيها الليل وأستلم منكِ الخبز.
    [+1h] tamsin-bakes: And I know your footsteps. Poppy seed, still warm. 🧡

[09-20 3y 10:40] harbour.bakery ×21: We've kept the small roll at the same price for six years. We're told that it isn't clever. It isn't meant to be.

[03-14 2y 15:10] tamsin-bakes: 3.14: made a pie, measured it with Room 4, got 3.2. Meera says that is the crust. 🥧
  [+20m] meera.teaches: It was the crust AND the ruler. We ate the evidence.

[07-22 2y 19:55] TavernaEleni @quay: Ο Ντούγκαλ έφερε σκουμπρί, η Ινές κάρβουνα, η μπάντα όλους τους άλλους. Δεν υπάρχει κράτηση για τέτοιο βράδυ. {photo long-table 2048x1152}
  [+15m] HarbourBand: We came for one song. It is now eleven songs.
  [+40m] MissQuill: I danced. There are to be no photographs.
    [+6m] biscuit.the.cat: There are photographs.

[11-11 1y 08:25] harbour.bakery: Power is off on Chandler's Row. Bread is on, the oven burns wood. Come and choose by candle. 🕯️
  [+18m] Kittiwick_Library: So are we, by torch. It turns out that ghost stories are shelved rather well for it.

[Tue 50w 06:35] harbour.bakery: Rye is back. It went nowhere, we only forgot to write it on the board.
[Sat 43w 09:50] tamsin-bakes: A man bought one hundred rolls and would not say why. He was smiling. I have decided that it's good news.
  [+5h] HarbourBand: It was us. Rehearsal breakfast. It was not enough.
[Thu 39w 17:30] TavernaEleni: Κάποιος ζήτησε κέτσαπ. Του έφερα ντομάτα και χρόνο.
  [+25m] harbour.bakery: Here they ask us to slice it. We sigh, and slice.
[Fri 33w 06:10] harbour.bakery: Today's special is a mistake with apples. It's better than what it was meant to be, so we have written it down. {bakery.kittiwick.example/mistakes}
[Wed 26w 14:20] tamsin-bakes: Reading group at the library chose a book with a bakery in it. I have eleven corrections and one new idea for plaits.
  [+1h] Kittiwick_Library: We have pencilled in the corrections. The idea we would like to taste.
[Sun 21w 18:15] TavernaEleni: Σήμερα κλειστά. Μαγειρεύω μόνο για μένα: δύο αυγά, μια φέτα της Τάμσιν, όλη η θάλασσα.
[Mon 16w 10:05] harbour.bakery @bakery: New bell on the door. It is tuned to G so that it suits the foghorn. #detail
  [+12m] lighthouse: We are touched, and about a third apart.
    [+9m] HarbourBand: Major third. We checked. It is lovely.
[Sat 11w 06:50] tamsin-bakes: My hands smell of orange peel and will until Tuesday. No regrets. 🍊
[Thu 8w 16:25] TavernaEleni: Η Μιζούχο μού έφτιαξε πιάτα στο χρώμα της ομίχλης. Τώρα κάθε ψάρι μοιάζει να έφτασε μόλις τώρα. {photo fog-plates 1440x1080}
  [+35m] mizuho_utsuwa: 料理がのって、やっと完成です。ごちそうさまでした。🙇🏻‍♀️
[Sun 5w 07:20] harbour.bakery: The ducks have been seen outside with a friend, who is a goose, who has views. Please do not make eye contact while carrying brioche.
[Wed 2w 05:45] tamsin-bakes: New apprentice starts today. First lesson: wash your hands. Second lesson: it's never just flour. Third lesson is a cinnamon knot.
  [+4h] KittiwickSchool: She was in our Year 6 not so long ago and made us a volcano. Please keep an eye on the yeast. 🌋
[Fri 1w 12:35] TavernaEleni @quay: RT &crab
`;
