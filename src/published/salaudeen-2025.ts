/**
 * Numbers that Salaudeen, Chiou, Weng and Koyejo 2025 ("Are Domain Generalization Benchmarks with Accuracy on the Line
 * Misspecified?") print, each under the name of its table. OOD is regressed on ID accuracy, both clipped to 1–99% and on
 * the probit scale. Datasets have the names that DomainBed gives them, without "WILDS".
 */

export interface PublishedFit {
  dataset: string;
  /** The environment that is left out. */
  ood: string;
  /** The environment of the ID accuracies; undefined: the average of all others. */
  id?: string;
  slope: number;
  intercept: number;
  r: number;
  pValue: number;
  standardError: number;
}

/**
 * Table 1, the summary. Two rows are named after another split than that of the tables they repeat: "CXR Env 1" has
 * Table 20's numbers of Env 3, and "SpawriousM2M hard Env 0" has Table 13's of Env 1. M2M easy's standard error is 0.00
 * here and 0.01 in Table 11. Waterbirds' OOD is the group y = 0, a = 0 of Env 1 in Table 25, "Env 0 (*)" here.
 */
export const table1 = averages(`
ColoredMNIST        2  -1.56   0.47  -0.74  0.00  0.01
CXR                 1  -0.60   0.56  -0.48  0.00  0.03
SpawriousO2O_hard   0   0.32  -0.21   0.50  0.00  0.05
SpawriousM2M_hard   0   0.76  -0.26   0.94  0.00  0.01
SpawriousO2O_easy   0   0.48  -0.29   0.74  0.00  0.04
SpawriousM2M_easy   0   0.34   0.26   0.60  0.00  0.00
PACS                1   0.68  -0.68   0.84  0.00  0.01
TerraIncognita      1   0.83  -1.41   0.74  0.00  0.02
Camelyon            2   0.62   0.49   0.78  0.00  0.01
CivilComments       1  -0.49   0.16  -0.47  0.00  0.03
Waterbirds          0  -0.13   1.58  -0.13  0.00  0.03
FMoW                5   0.76  -0.61   0.87  0.00  0.01
`);

/**
 * Standard errors go with as many points as Table 3 has rows, divided by the number of ID environments: a model is one
 * point. Not so for SpawriousO2O (about 130 points), Waterbirds (about 1,000) and CivilComments (about 1,000, not 690),
 * which were fitted to other models than Table 3 counts.
 *
 * Tables 5, 7, 9, 11, 13, 15, 17, 20, 22, 27 and 24: the average of all other environments against each.
 */
export const averageFits = averages(`
ColoredMNIST        0   1.90  -0.58   0.82  0.00  0.01
ColoredMNIST        1   0.96   0.01   0.94  0.00  0.00
ColoredMNIST        2  -1.56   0.47  -0.74  0.00  0.01
SpawriousO2O_easy   0   0.48  -0.29   0.74  0.00  0.04
SpawriousO2O_easy   1   1.05  -0.13   0.98  0.00  0.02
SpawriousO2O_easy   2   0.95  -0.11   0.97  0.00  0.02
SpawriousO2O_hard   0   0.32  -0.21   0.50  0.00  0.05
SpawriousO2O_hard   1   0.98   0.06   0.96  0.00  0.02
SpawriousO2O_hard   2   0.94  -0.07   0.96  0.00  0.02
SpawriousM2M_easy   0   0.34   0.26   0.60  0.00  0.01
SpawriousM2M_easy   1   0.65  -0.08   0.95  0.00  0.00
SpawriousM2M_easy   2   0.65   0.02   0.93  0.00  0.00
SpawriousM2M_hard   0   0.16  -0.04   0.29  0.00  0.01
SpawriousM2M_hard   1   0.76  -0.26   0.94  0.00  0.01
SpawriousM2M_hard   2   0.66  -0.10   0.91  0.00  0.01
PACS                0   0.74  -0.31   0.98  0.00  0.00
PACS                1   0.68  -0.68   0.84  0.00  0.01
PACS                2   1.00   0.32   0.86  0.00  0.01
PACS                3   0.76  -0.87   0.86  0.00  0.01
Camelyon            0   0.78   0.33   0.90  0.00  0.01
Camelyon            1   0.71  -0.00   0.88  0.00  0.01
Camelyon            2   0.62   0.49   0.78  0.00  0.01
Camelyon            3   0.63   0.49   0.88  0.00  0.01
Camelyon            4   0.63   0.40   0.78  0.00  0.01
CXR                 0   0.54  -0.27   0.55  0.00  0.02
CXR                 1  -0.38   0.13  -0.50  0.00  0.02
CXR                 2   0.44   0.05   0.54  0.00  0.02
CXR                 3  -0.60   0.56  -0.48  0.00  0.03
CXR                 4   0.53  -0.04   0.31  0.00  0.04
FMoW                0   0.75  -0.62   0.98  0.00  0.00
FMoW                1   0.78  -0.34   0.96  0.00  0.00
FMoW                2   0.65  -0.48   0.94  0.00  0.00
FMoW                3   0.83  -0.34   0.99  0.00  0.00
FMoW                4   0.96  -0.18   0.99  0.00  0.00
FMoW                5   0.76  -0.61   0.87  0.00  0.01
CivilComments       0   0.36  -0.29   0.28  0.00  0.04
CivilComments       1  -0.49   0.16  -0.47  0.00  0.03
CivilComments       2   0.39  -0.17   0.28  0.00  0.04
CivilComments       3  -0.49   0.12  -0.42  0.00  0.03
CivilComments       4   0.58   0.20   0.43  0.00  0.04
CivilComments       5  -0.54   0.00  -0.43  0.00  0.04
CivilComments       6   0.46  -0.04   0.30  0.00  0.05
CivilComments       7  -0.50   0.16  -0.43  0.00  0.03
CivilComments       8   0.49   0.03   0.36  0.00  0.04
CivilComments       9  -0.49   0.06  -0.41  0.00  0.03
CivilComments      10   0.53   0.17   0.34  0.00  0.05
CivilComments      11  -0.57  -0.09  -0.46  0.00  0.03
CivilComments      12   0.46   0.05   0.30  0.00  0.05
CivilComments      13  -0.54  -0.04  -0.45  0.00  0.03
CivilComments      14   0.41  -0.10   0.29  0.00  0.04
CivilComments      15  -0.52   0.06  -0.43  0.00  0.04
Waterbirds          1   0.83   0.35   0.92  0.00  0.01
Waterbirds          0   0.47   0.16   0.69  0.00  0.02
`);

/** Tables 6, 8, 10, 12, 14, 16, 18, 21 and 23: OOD environment, ID environment, and their fit. */
export const pairFits = pairs(`
ColoredMNIST        0  1   1.23  -0.12   0.99  0.00  0.00
ColoredMNIST        0  2  -0.73   0.87  -0.36  0.00  0.02
ColoredMNIST        1  0   0.91   0.04   0.98  0.00  0.00
ColoredMNIST        1  2   0.67   0.16   0.72  0.00  0.01
ColoredMNIST        2  0  -1.34   0.53  -0.82  0.00  0.01
ColoredMNIST        2  1  -1.65   0.29  -0.64  0.00  0.02
SpawriousO2O_easy   0  1   0.50  -0.33   0.75  0.00  0.04
SpawriousO2O_easy   0  2   0.47  -0.23   0.72  0.00  0.04
SpawriousO2O_easy   1  0   1.09  -0.33   0.93  0.00  0.04
SpawriousO2O_easy   1  2   1.01   0.11   0.98  0.00  0.02
SpawriousO2O_easy   2  0   0.93  -0.12   0.94  0.00  0.03
SpawriousO2O_easy   2  1   0.94  -0.02   0.98  0.00  0.01
SpawriousO2O_hard   0  1   0.32  -0.23   0.49  0.00  0.05
SpawriousO2O_hard   0  2   0.32  -0.19   0.50  0.00  0.04
SpawriousO2O_hard   1  0   0.90   0.14   0.89  0.00  0.04
SpawriousO2O_hard   1  2   1.01   0.12   0.97  0.00  0.02
SpawriousO2O_hard   2  0   0.92  -0.05   0.93  0.00  0.03
SpawriousO2O_hard   2  1   0.92   0.01   0.97  0.00  0.02
SpawriousM2M_easy   0  1   0.35   0.23   0.61  0.00  0.01
SpawriousM2M_easy   0  2   0.32   0.29   0.58  0.00  0.01
SpawriousM2M_easy   1  0   0.64  -0.09   0.95  0.00  0.00
SpawriousM2M_easy   1  2   0.63  -0.05   0.94  0.00  0.00
SpawriousM2M_easy   2  0   0.67  -0.02   0.94  0.00  0.00
SpawriousM2M_easy   2  1   0.61   0.08   0.90  0.00  0.01
SpawriousM2M_hard   0  1   0.17  -0.07   0.33  0.00  0.01
SpawriousM2M_hard   0  2   0.14  -0.02   0.27  0.00  0.01
SpawriousM2M_hard   1  0   0.78  -0.27   0.95  0.00  0.00
SpawriousM2M_hard   1  2   0.73  -0.23   0.92  0.00  0.01
SpawriousM2M_hard   2  0   0.68  -0.11   0.92  0.00  0.01
SpawriousM2M_hard   2  1   0.62  -0.08   0.89  0.00  0.01
PACS                0  1   0.71  -0.10   0.96  0.00  0.01
PACS                0  2   0.64  -0.47   0.91  0.00  0.01
PACS                0  3   0.64   0.14   0.90  0.00  0.01
PACS                1  0   0.75  -0.59   0.89  0.00  0.01
PACS                1  2   0.51  -0.67   0.71  0.00  0.01
PACS                1  3   0.71  -0.29   0.98  0.00  0.00
PACS                2  0   1.04   0.23   0.87  0.00  0.01
PACS                2  1   0.90   0.45   0.82  0.00  0.02
PACS                2  3   0.78   0.76   0.75  0.00  0.02
PACS                3  0   0.76  -0.79   0.83  0.00  0.01
PACS                3  1   0.80  -0.75   0.92  0.00  0.01
PACS                3  2   0.50  -0.83   0.64  0.00  0.02
Camelyon            0  1   0.73   0.44   0.88  0.00  0.01
Camelyon            0  2   0.79   0.25   0.90  0.00  0.01
Camelyon            0  3   0.83   0.17   0.90  0.00  0.01
Camelyon            0  4   0.74   0.28   0.91  0.00  0.01
Camelyon            1  0   0.71  -0.00   0.89  0.00  0.01
Camelyon            1  2   0.69   0.02   0.85  0.00  0.01
Camelyon            1  3   0.74  -0.05   0.89  0.00  0.01
Camelyon            1  4   0.69  -0.03   0.89  0.00  0.01
Camelyon            2  0   0.64   0.41   0.81  0.00  0.01
Camelyon            2  1   0.59   0.58   0.74  0.00  0.01
Camelyon            2  3   0.67   0.37   0.79  0.00  0.01
Camelyon            2  4   0.61   0.44   0.81  0.00  0.01
Camelyon            3  0   0.66   0.41   0.90  0.00  0.01
Camelyon            3  1   0.57   0.64   0.84  0.00  0.01
Camelyon            3  2   0.63   0.47   0.87  0.00  0.01
Camelyon            3  4   0.61   0.45   0.88  0.00  0.01
Camelyon            4  0   0.63   0.35   0.79  0.00  0.01
Camelyon            4  1   0.60   0.49   0.74  0.00  0.01
Camelyon            4  2   0.62   0.39   0.79  0.00  0.01
Camelyon            4  3   0.67   0.29   0.78  0.00  0.01
CXR                 0  1   0.56  -0.23   0.57  0.00  0.02
CXR                 0  2   0.31  -0.21   0.41  0.00  0.02
CXR                 0  3   0.16  -0.26   0.84  0.00  0.00
CXR                 0  4   0.43  -0.39   0.68  0.00  0.01
CXR                 1  0  -0.43   0.09  -0.61  0.00  0.01
CXR                 1  2  -0.16   0.06  -0.27  0.00  0.01
CXR                 1  3  -0.07   0.06  -0.51  0.00  0.00
CXR                 1  4  -0.21   0.12  -0.46  0.00  0.01
CXR                 2  0   0.39   0.07   0.54  0.00  0.01
CXR                 2  1   0.36   0.06   0.46  0.00  0.02
CXR                 2  3   0.09   0.06   0.61  0.00  0.00
CXR                 2  4   0.28  -0.04   0.51  0.00  0.01
CXR                 3  0  -0.68   0.54  -0.49  0.00  0.03
CXR                 3  1  -0.47   0.51  -0.46  0.00  0.02
CXR                 3  2  -0.38   0.51  -0.37  0.00  0.02
CXR                 3  4  -0.26   0.54  -0.29  0.00  0.02
CXR                 4  0  -0.03   0.19  -0.02  0.48  0.04
CXR                 4  1   0.56  -0.01   0.40  0.00  0.03
CXR                 4  2   0.47  -0.07   0.37  0.00  0.03
CXR                 4  3   0.10   0.04   0.36  0.00  0.01
FMoW                0  1   0.78  -0.52   0.98  0.00  0.00
FMoW                0  2   0.69  -0.72   0.97  0.00  0.00
FMoW                0  3   0.71  -0.52   0.97  0.00  0.00
FMoW                0  4   0.48  -0.89   0.96  0.00  0.00
FMoW                0  5   0.43  -1.11   0.94  0.00  0.00
FMoW                1  0   0.75  -0.26   0.97  0.00  0.00
FMoW                1  2   0.78  -0.43   0.96  0.00  0.00
FMoW                1  3   0.80  -0.20   0.98  0.00  0.00
FMoW                1  4   0.53  -0.62   0.95  0.00  0.00
FMoW                1  5   0.49  -0.88   0.94  0.00  0.00
FMoW                2  0   0.58  -0.50   0.94  0.00  0.00
FMoW                2  1   0.70  -0.47   0.93  0.00  0.00
FMoW                2  3   0.64  -0.49   0.92  0.00  0.00
FMoW                2  4   0.43  -0.80   0.91  0.00  0.00
FMoW                2  5   0.39  -1.01   0.92  0.00  0.00
FMoW                3  0   0.74  -0.30   0.98  0.00  0.00
FMoW                3  1   0.91  -0.25   0.99  0.00  0.00
FMoW                3  2   0.79  -0.49   0.97  0.00  0.00
FMoW                3  4   0.53  -0.67   0.96  0.00  0.00
FMoW                3  5   0.49  -0.96   0.92  0.00  0.00
FMoW                4  0   0.89  -0.13   0.98  0.00  0.00
FMoW                4  1   1.02  -0.08   0.99  0.00  0.00
FMoW                4  2   0.92  -0.33   0.98  0.00  0.00
FMoW                4  3   0.95  -0.08   0.99  0.00  0.00
FMoW                4  5   0.54  -0.87   0.90  0.00  0.00
FMoW                5  0   0.74  -0.56   0.89  0.00  0.01
FMoW                5  1   0.82  -0.54   0.85  0.00  0.01
FMoW                5  2   0.70  -0.74   0.84  0.00  0.01
FMoW                5  3   0.74  -0.55   0.85  0.00  0.01
FMoW                5  4   0.52  -0.90   0.86  0.00  0.00
`);

/** A fit of Waterbirds' groups, which are `y=0,a=0` …: landbird or waterbird on land (a = 0) or on water. */
export interface PublishedGroupFit extends PublishedFit {
  id: string;
  /** Undefined: the average of the ID environment. */
  idGroup?: string;
  oodGroup: string;
}

/**
 * Waterbirds, Tables 25 and 26, whose printed digits tell more than their captions. All rows of one direction are of the
 * same models, so slope over R is the OOD group's spread over the ID group's, and every line goes through the two means.
 *
 * - Standard errors and p-values of all forty rows, and Table 24's, go with 1,003 models (988 to 1,046 for all).
 * - Table 25's slopes, intercepts and standard errors are those of the ID average regressed on the group's OOD accuracy.
 *   Only so do spreads and means agree with Table 26. Its R and p-values are the same either way. Table 1 repeats a row.
 * - The means that follow for "Env 1" as ID, 99% and 74% of landbirds and 26% and 87% of waterbirds on land and water,
 *   have the printed average of 94% in the proportions of the training split and 80% in those of validation and test. The
 *   text says that Env 0 is the training split; in these tables Env 1 is.
 */
export const waterbirdsGroupFits = groupFits(`
0 --  1 00  -0.13   1.58  -0.13  0.00  0.03
0 --  1 01   0.00   1.32   0.00  0.95  0.03
0 --  1 10   0.22   1.17   0.84  0.00  0.00
0 --  1 11   0.32   1.13   0.81  0.00  0.01
1 --  0 00   0.70  -0.02   0.65  0.00  0.03
1 --  0 01  -0.07   1.61  -0.11  0.00  0.02
1 --  0 10   0.27   1.63   0.56  0.00  0.01
1 --  0 11   0.30   1.21   0.60  0.00  0.01
`);

/** Table 26: ID environment and group (y, then a), OOD environment and group, and their fit. */
export const waterbirdsGroupPairs = groupFits(`
0 00  1 00   0.76   0.58   0.86  0.00  0.01
0 01  1 00   0.72   0.73   0.73  0.00  0.02
0 10  1 00  -0.15   2.19  -0.43  0.00  0.01
0 11  1 00  -0.13   2.17  -0.36  0.00  0.01
0 00  1 01   0.45   1.05   0.42  0.00  0.03
0 01  1 01   0.65   0.72   0.54  0.00  0.03
0 10  1 01  -0.03   1.96  -0.06  0.08  0.01
0 11  1 01  -0.05   1.99  -0.10  0.00  0.01
0 00  1 10  -1.16   3.05  -0.33  0.00  0.10
0 01  1 10  -0.96   2.58  -0.25  0.00  0.12
0 10  1 10   1.24   0.13   0.93  0.00  0.02
0 11  1 10   1.34   0.12   0.92  0.00  0.02
0 00  1 11  -0.70   2.02  -0.32  0.00  0.07
0 01  1 11  -0.87   2.24  -0.34  0.00  0.08
0 10  1 11   0.84   0.19   0.95  0.00  0.01
0 11  1 11   0.92   0.20   0.97  0.00  0.01
1 00  0 00   0.77   0.55   0.96  0.00  0.01
1 01  0 00   0.16   2.18   0.35  0.00  0.01
1 10  0 00  -0.07   2.23  -0.18  0.00  0.01
1 11  0 00   0.02   2.26   0.05  0.10  0.01
1 00  0 01   0.54  -0.49   0.39  0.00  0.04
1 01  0 01   0.73   0.23   0.88  0.00  0.01
1 10  0 01  -0.13   0.61  -0.23  0.00  0.02
1 11  0 01  -0.50   1.25  -0.69  0.00  0.02
1 00  0 10  -0.33   0.50  -0.18  0.00  0.05
1 01  0 10  -0.40  -0.01  -0.32  0.00  0.04
1 10  0 10   0.61   0.17   0.84  0.00  0.01
1 11  0 10   0.88  -1.21   0.83  0.00  0.02
1 00  0 11   0.05   1.08   0.03  0.38  0.05
1 01  0 11  -0.50   1.50  -0.47  0.00  0.03
1 10  0 11   0.44   1.44   0.60  0.00  0.02
1 11  0 11   0.94   0.13   0.96  0.00  0.01
`);

/** Table 3: classifiers from which on R settled, and how many there were; both count rows, one an ID environment. */
export const table3 = numbersOf(`
CivilComments       0   6710  10350
CivilComments       1   7210  10350
CivilComments       2   7610  10350
CivilComments       3  10310  10350
CivilComments       4   6210  10350
CivilComments       5   9810  10350
CivilComments       6   9810  10350
CivilComments       7  10310  10350
CivilComments       8  10310  10350
CivilComments       9   4910  10350
CivilComments      10   5910  10350
CivilComments      11   5510  10350
CivilComments      12   4810  10350
CivilComments      13   5610  10350
CivilComments      14   2510  10350
CivilComments      15   5910  10350
ColoredMNIST        0  14110  19758
ColoredMNIST        1   3110  20130
ColoredMNIST        2   1810  20020
CXR                 0   3410   7140
CXR                 1   1410   7140
CXR                 2   3310   7140
CXR                 3   4110   7140
CXR                 4   4610   7140
PACS                0   2310   4407
PACS                1   3110   4761
PACS                2    910   5043
PACS                3   1210   4806
SpawriousM2M_easy   0   1310   6630
SpawriousM2M_easy   1   3010   6630
SpawriousM2M_easy   2   1610   6732
SpawriousM2M_hard   0   5610   5916
SpawriousM2M_hard   1   2910   5916
SpawriousM2M_hard   2   2910   5916
SpawriousO2O_easy   0   4810   6630
SpawriousO2O_easy   1   5610   6630
SpawriousO2O_easy   2   5610   6630
SpawriousO2O_hard   0   4810   5916
SpawriousO2O_hard   1   4310   5916
SpawriousO2O_hard   2   5910   5916
TerraIncognita      0    910   3186
TerraIncognita      1   1410   3186
TerraIncognita      2   1010   3135
TerraIncognita      3   1710   3165
Camelyon            0   1610   8400
Camelyon            1   2010   9228
Camelyon            2   3110   7408
Camelyon            3   2810   8548
Camelyon            4   4710   7480
FMoW                0    810  27340
FMoW                1   2310  27245
FMoW                2    710  28725
FMoW                3   4110  25550
FMoW                4   4310  23930
FMoW                5   7010  26540
Waterbirds          0   2010   8823
Waterbirds          1    510   9027
`).map(([dataset, ood, enough, total]) => ({
  dataset: dataset!,
  ood: ood!,
  enough: Number(enough),
  total: Number(total),
}));

function averages(text: string): PublishedFit[] {
  return numbersOf(text).map(([dataset, ood, ...numbers]) => ({
    dataset: dataset!,
    ood: ood!,
    ...fit(numbers),
  }));
}

function pairs(text: string): PublishedFit[] {
  return numbersOf(text).map(([dataset, ood, id, ...numbers]) => ({
    dataset: dataset!,
    ood: ood!,
    id: id!,
    ...fit(numbers),
  }));
}

function groupFits(text: string): PublishedGroupFit[] {
  const named = (digits: string) => `y=${digits[0]},a=${digits[1]}`;
  return numbersOf(text).map(([id, idGroup, ood, oodGroup, ...numbers]) => ({
    dataset: "Waterbirds",
    ood: ood!,
    id: id!,
    ...(idGroup === "--" ? {} : { idGroup: named(idGroup!) }),
    oodGroup: named(oodGroup!),
    ...fit(numbers),
  }));
}

function fit(texts: readonly string[]) {
  const [slope, intercept, r, pValue, standardError] = texts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { slope, intercept, r, pValue, standardError };
}

function numbersOf(text: string): string[][] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.split(/ +/));
}
